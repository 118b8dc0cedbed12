/** The same checks for all 42 operations: credentials, paging, and unusual bodies. */
import assert from 'node:assert/strict'
import { type Audit, until } from './kit/audit.ts'
import type { Json } from './kit/client.ts'
import { KINDS } from './kit/refusals.ts'
import { registerRunner } from './kit/runner.ts'
import type { Stage } from './kit/stage.ts'
import { allOf, hasErrorShape, hasStatus, holds } from './kit/verdicts.ts'

interface Operation {
  readonly name: string
  readonly path: string
  readonly as: string
  /** A well-formed body, with the fields to try. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly isList?: boolean
}

const PAGES = [
  ...['0', '-1', 'abc', '1.5', '999999999', '9223372036854775807', '99999999999999999999'].map(
    (it) => `page=${it}`,
  ),
  ...['0', '-1', 'abc', '1000000', '9223372036854775807', '99999999999999999999'].map((it) => `limit=${it}`),
  ...['page=&limit=', 'page=1&page=2', 'page=%F0%9F%99%82'],
]
const BODIES = [
  ...['{', '[]', '"x"', '5', 'null', 'true', '', '{}', '[{}]', '{"a":1}{"b":2}', '\ufeff{}'],
  ...['{"__proto__":{"x":1}}', '{"title":"a","title":"b"}', '['.repeat(20_000)],
]
const MEDIA_TYPES = [
  ...['text/plain', 'application/xml', '', 'application/json; charset=utf-16'],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-8',
  ],
]
const TEXTS = [
  ...['\\u0000', 'a\\u0000b', '\\ud800', '\\u202e', '\\ufffe', 'x'.repeat(70_000), "'; drop table x; --"],
  ...['<script>', '../../etc/passwd', '%00', '\\u0007', ' ', 'ＡＢＣ'],
]
const NUMBERS = [
  '-1',
  '0',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1e400',
  '-0',
  '1.5',
  '"1"',
]
const PAGE_ENTRIES_MAX = 100
const HOOK_URL = 'http://127.0.0.1:9/every-operation'
const UNKNOWN_TOKEN = '0123456789012345678901234567890123456789'

export async function askEveryOperation(audit: Audit, stage: Stage): Promise<void> {
  const operations = await prepareOperations(audit, stage)
  assert.deepEqual(operations.map(({ name }) => name).sort(), Object.keys(KINDS).sort())
  const { alice, makeToken } = stage
  const tokensWith = async (scope: string): Promise<Record<string, string>> => ({
    [alice]: await makeToken(alice, [scope]),
    admin: await makeToken('admin', [scope]),
  })
  const [weak, strong] = [await tokensWith('read:activitypub'), await tokensWith('all')]
  for (const operation of operations) {
    await askAboutCredentials(audit, operation, weak[operation.as] ?? '')
    // Checking a password costs the forge more than the rest of most answers.
    const asked = { ...operation, as: `token:${strong[operation.as]}` }
    if (asked.isList) await askAboutPages(audit, asked)
    if (asked.body === undefined) continue
    await askAboutBodies(audit, asked, asked.body)
    await askAboutFields(audit, asked, asked.body)
  }
  await dropHooks(audit)
}

/** The forge would copy them into every repository created from here on. */
async function dropHooks({ request }: Audit): Promise<void> {
  const { json } = await request('GET', '/admin/hooks?type=all&limit=50')
  for (const { id, config } of json)
    if (config.url === HOOK_URL) await request('DELETE', `/admin/hooks/${id}`)
}

async function askAboutCredentials(
  { call, demand }: Audit,
  operation: Operation,
  token: string,
): Promise<void> {
  const { name, path, body } = operation
  const ask = (authorization: string) =>
    call(name, methodOf(operation), path, { as: null, headers: { authorization }, ...(body && { body }) })
  await demand(name, 'An unknown token is unauthorized.', async () => {
    const answer = await ask(`token ${UNKNOWN_TOKEN}`)
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
  await demand(name, 'A token without the scope is forbidden.', async () => {
    const answer = await ask(`token ${token}`)
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
}

async function askAboutPages({ call, demand }: Audit, { name, path, as }: Operation): Promise<void> {
  const ask = (query: string) => call(name, 'GET', `${path}?${query}`, { as })
  for (const query of PAGES)
    await demand(name, `The query ${query} is answered with a list.`, async () => {
      const answer = await ask(query)
      return allOf(hasStatus(answer, 200), holds(Array.isArray(listIn(answer.json)), 'there is no list'))
    })
  await demand(name, 'X-Total-Count counts the list.', async () => {
    const count = (await ask('')).headers['x-total-count']
    return holds(/^\d+$/.test(String(count)), `X-Total-Count is ${count}`)
  })
  await demand(name, 'A page has an upper bound.', async () => {
    const { length } = listIn((await ask('limit=1000000')).json)
    return holds(length <= PAGE_ENTRIES_MAX, `it has ${length} entries`)
  })
}

async function askAboutBodies({ call, demand }: Audit, operation: Operation, body: object): Promise<void> {
  const { name, path, as } = operation
  const send = (raw: string, headers: Record<string, string> = {}) =>
    call(name, methodOf(operation), path, { as, raw, headers })
  for (const raw of BODIES)
    await demand(name, `The body ${JSON.stringify(raw.slice(0, 24))} is no server error.`, async () =>
      hasErrorShape(await send(raw)),
    )
  for (const type of MEDIA_TYPES)
    await demand(name, `JSON with the media type «${type}» is no server error.`, async () =>
      hasErrorShape(await send(JSON.stringify(body), { 'content-type': type })),
    )
  await demand(name, 'A body of 3 MB is taken or refused with message and url.', async () =>
    hasErrorShape(await send(JSON.stringify({ ...body, zzz: 'x'.repeat(3_000_000) }))),
  )
}

/** Values are put into the JSON verbatim, because most clients would not write them. */
async function askAboutFields(
  { call, demand }: Audit,
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { name, path, as } = operation
  const ask = (field: string, written: string) => {
    const raw = JSON.stringify({ ...body, [field]: '@@' }).replace('"@@"', () => written)
    return call(name, methodOf(operation), path, { as, raw })
  }
  for (const [field, value] of Object.entries(body)) {
    const texts = typeof value === 'string' ? TEXTS.map((it) => `"${it}"`) : []
    const values = typeof value === 'number' ? NUMBERS : texts
    for (const written of values)
      await demand(name, `The value ${written.slice(0, 24)} of ${field} is no server error.`, async () =>
        hasErrorShape(await ask(field, written)),
      )
  }
}

function methodOf({ name }: Operation): string {
  return name.split(' ')[0] ?? ''
}

function listIn(json: Json): Json {
  return Array.isArray(json) ? json : (json?.data ?? json?.workflow_runs)
}

async function prepareOperations(audit: Audit, stage: Stage): Promise<Operation[]> {
  const { request, must, suffix } = audit
  const { alice, bob, org, makeIssue, openPull } = stage
  const open = `/repos/${alice}/open`
  const issue = await makeIssue(`${alice}/open`, 'one', alice)
  const blocked = await makeIssue(`${alice}/open`, 'two', alice)
  const pull = await openPull(`${alice}/open`, 'px', alice)
  const board = { as: alice, body: { title: 'p', template_type: 'basic_kanban' } }
  const project = await must(request('POST', `${open}/projects`, board))
  const own = await must(request('POST', '/user/projects', board))
  const [column] = (await request('GET', `/user/projects/${own.id}/columns`, { as: alice })).json
  const runner = await registerRunner(audit, `x-${suffix}`, [`l-${suffix}`])
  const file = `/api/packages/${alice}/generic/tool/1.0/f.bin`
  const headers = { 'content-type': 'application/octet-stream' }
  await must(request('PUT', file, { as: alice, root: true, raw: 'hello', headers }))
  await must(request('PUT', `/repos/${org}/main/subscription`, { as: alice }))
  await makeIssue(`${org}/main`, 'for alice', bob)
  const thread = await until(async () => {
    const { json } = await request('GET', '/notifications?all=true', { as: alice })
    return json[0] as Json
  })
  const index = `/issues/${issue.number}`
  const block = { index: blocked.number, owner: alice, repo: 'open' }
  const hook = {
    type: 'gitea',
    config: { url: HOOK_URL, content_type: 'json' },
    name: 'n',
    branch_filter: '*',
  }
  const source = { clone_addr: 'http://127.0.0.1:1/x.git', repo_name: 'zz', description: 'd' }
  const repo = (name: string) => name.replace(/^(\w+) /, '$1 /repos/{owner}/{repo}')
  const list = (name: string, path: string, as: string): Operation => ({ name, path, as, isList: true })
  const one = (name: string, path: string, as: string, body?: Operation['body']): Operation => ({
    name,
    path,
    as,
    ...(body && { body }),
  })
  return [
    ...['actions/jobs', 'actions/runners', 'actions/runs', 'cron', 'emails', 'emails/search', 'hooks'].map(
      (it) => list(`GET /admin/${it}`, `/admin/${it}`, 'admin'),
    ),
    one(
      'POST /admin/actions/runners/registration-token',
      '/admin/actions/runners/registration-token',
      'admin',
    ),
    one('GET /admin/actions/runners/{runner_id}', `/admin/actions/runners/${runner.id}`, 'admin'),
    one('DELETE /admin/actions/runners/{runner_id}', '/admin/actions/runners/99999999', 'admin'),
    one('PATCH /admin/actions/runners/{runner_id}', `/admin/actions/runners/${runner.id}`, 'admin', {
      disabled: false,
    }),
    one('POST /admin/cron/{task}', '/admin/cron/no_such', 'admin'),
    one('POST /admin/hooks', '/admin/hooks', 'admin', hook),
    one('POST /orgs/{org}/repos', `/orgs/${org}/repos`, alice, {
      name: 'z',
      description: 'd',
      default_branch: 'main',
    }),
    one('POST /repos/migrate', '/repos/migrate', alice, source),
    list('GET /repos/search', '/repos/search', alice),
    list('GET /users/{username}/subscriptions', `/users/${alice}/subscriptions`, alice),
    list(repo('GET /keys'), `${open}/keys`, alice),
    one(repo('POST /keys'), `${open}/keys`, alice, { key: 'k', title: 't' }),
    list(repo('GET /commits'), `${open}/commits`, alice),
    one(repo('PATCH /issues/{index}'), open + index, alice, { title: 't', body: 'b', ref: 'r' }),
    one(repo('POST /issues/{index}/blocks'), `${open}${index}/blocks`, alice, block),
    one(repo('DELETE /issues/{index}/blocks'), `${open}${index}/blocks`, alice, block),
    one(repo('POST /issues/{index}/times'), `${open}${index}/times`, alice, { time: 1, user_name: alice }),
    one(repo('POST /issues/{index}/comments'), `${open}${index}/comments`, alice, { body: 'b' }),
    list('GET /repos/issues/search', '/repos/issues/search', alice),
    one(repo('PATCH /pulls/{index}'), `${open}/pulls/${pull.number}`, alice, { title: 't', body: 'b' }),
    one(
      repo('POST /pulls/{index}/requested_reviewers'),
      `${open}/pulls/${pull.number}/requested_reviewers`,
      alice,
      {
        reviewers: [],
      },
    ),
    list(repo('GET /actions/runs'), `${open}/actions/runs`, alice),
    one(repo('POST /actions/runs/{run}/force-cancel'), `${open}/actions/runs/999999/force-cancel`, alice),
    one(repo('POST /projects'), `${open}/projects`, alice, { title: 't', description: 'd' }),
    one(repo('PATCH /projects/{id}'), `${open}/projects/${project.id}`, alice, {
      title: 't',
      description: 'd',
    }),
    one(repo('POST /projects/{id}/columns'), `${open}/projects/${project.id}/columns`, alice, { title: 't' }),
    one('PATCH /user/projects/{id}', `/user/projects/${own.id}`, alice, { title: 't', description: 'd' }),
    list('GET /user/projects/{id}/columns', `/user/projects/${own.id}/columns`, alice),
    one(
      'PATCH /user/projects/{id}/columns/{column_id}',
      `/user/projects/${own.id}/columns/${column.id}`,
      alice,
      {
        title: 't',
      },
    ),
    one('PATCH /notifications/threads/{id}', `/notifications/threads/${thread.id}`, alice),
    one('PUT /notifications', '/notifications', alice),
    list('GET /users/{username}/activities/feeds', `/users/${alice}/activities/feeds`, alice),
    list(repo('GET /activities/feeds'), `${open}/activities/feeds`, alice),
    one('GET /packages/{owner}/{type}/{name}/{version}', `/packages/${alice}/generic/tool/1.0`, alice),
    one('POST /user/keys', '/user/keys', alice, { key: 'k', title: 't' }),
  ]
}
