/** Demands on the life cycle of objects: dates, deletion, archives, keys in use, notifications of changes. */
import { type Audit, until } from './kit/audit.ts'
import type { Json } from './kit/client.ts'
import { fits } from './kit/fits.ts'
import { makeKeyLine, SshKey, tryPush } from './kit/git.ts'
import type { Stage } from './kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from './kit/verdicts.ts'

const EDIT_ISSUE = 'PATCH /repos/{owner}/{repo}/issues/{index}'
const COMMENT = 'POST /repos/{owner}/{repo}/issues/{index}/comments'
const COMMITS = 'GET /repos/{owner}/{repo}/commits'
const ADD_KEY = 'POST /repos/{owner}/{repo}/keys'
const ADD_USER_KEY = 'POST /user/keys'
const MARK = 'PATCH /notifications/threads/{id}'
const MARK_ALL = 'PUT /notifications'
const READ_PACKAGE = 'GET /packages/{owner}/{type}/{name}/{version}'
const OCTETS = { 'content-type': 'application/octet-stream' }

/** Times that RFC 3339 allows, with their date. */
const DATES = {
  '2031-02-03T04:05:06Z': '2031-02-03',
  '2031-02-03T04:05:06.789Z': '2031-02-03',
  '2031-02-03T04:05:06+02:00': '2031-02-03',
  '2031-02-03T23:59:59-11:00': '2031-02-03',
  '9999-12-31T23:59:59Z': '9999-12-31',
}
/** RFC 3339 leaves it open whether lower-case letters are accepted. */
const SMALL_LETTERS = '2031-02-03t04:05:06z'
const NO_DATES = [
  '2031-02-03T04:05:60Z',
  '2031-02-30T00:00:00Z',
  '2031-13-01T00:00:00Z',
  '2031-02-03 04:05:06Z',
  '1900000000',
  '',
]

export async function askAboutDueDates({ call, demand }: Audit, { alice, makeIssue }: Stage): Promise<void> {
  const { number } = await makeIssue(`${alice}/open`, 'one', alice)
  const edit = (due_date: string) =>
    call(EDIT_ISSUE, 'PATCH', `/repos/${alice}/open/issues/${number}`, { as: alice, body: { due_date } })
  for (const [time, date] of Object.entries(DATES))
    await demand(EDIT_ISSUE, `The due_date ${time} is the date ${date}.`, async () => {
      const answer = await edit(time)
      return allOf(hasStatus(answer, 201), equals(answer.json.due_date?.slice(0, 10), date))
    })
  await demand(EDIT_ISSUE, `The due_date ${SMALL_LETTERS} is its date or refused with 400.`, async () => {
    const answer = await edit(SMALL_LETTERS)
    if (answer.status === 201) return equals(answer.json.due_date?.slice(0, 10), '2031-02-03')
    return allOf(hasStatus(answer, 400), hasErrorShape(answer))
  })
  for (const time of NO_DATES)
    await demand(EDIT_ISSUE, `The due_date «${time}» is refused with 400.`, async () => {
      const answer = await edit(time)
      return allOf(hasStatus(answer, 400), hasErrorShape(answer))
    })
  await demand(EDIT_ISSUE, 'The due_date 0001-01-01T00:00:00Z removes the date.', async () => {
    const answer = await edit('0001-01-01T00:00:00Z')
    return allOf(hasStatus(answer, 201), equals(answer.json.due_date, null))
  })
  await demand(EDIT_ISSUE, 'A due_date is read back as the same date in UTC.', async () => {
    const { json } = await edit('2031-02-03T23:30:00-05:00')
    return equals(new Date(json.due_date).toISOString().slice(0, 10), '2031-02-03')
  })
}

export async function askAboutDeletion(audit: Audit, stage: Stage): Promise<void> {
  const { call, demand, request, must } = audit
  const { alice, bob, makeRepo, makeIssue } = stage
  const open = `/repos/${alice}/open`
  const drop = (path: string) => must(request('DELETE', path, { as: alice }))
  await demand(EDIT_ISSUE, 'A deleted issue is not found.', async () => {
    const { number } = await makeIssue(`${alice}/open`, 'del', alice)
    const path = `${open}/issues/${number}`
    await drop(path)
    const edited = await call(EDIT_ISSUE, 'PATCH', path, { as: alice, body: { title: 'x' } })
    const comment = await request('POST', `${path}/comments`, { as: alice, body: { body: 'x' } })
    return allOf(hasStatus(edited, 404), hasErrorShape(edited), hasStatus(comment, 404))
  })
  await demand(EDIT_ISSUE, 'The number of a deleted issue is not used again.', async () => {
    const { number } = await makeIssue(`${alice}/open`, 'del', alice)
    await drop(`${open}/issues/${number}`)
    const next = await makeIssue(`${alice}/open`, 'next', alice)
    return holds(next.number > number, `${next.number} comes after ${number}`)
  })
  await demand(MARK, 'The thread of a deleted issue is no server error.', async () => {
    await must(request('PUT', `${open}/subscription`, { as: bob }))
    const { number } = await makeIssue(`${alice}/open`, 'gone', alice)
    const thread = await until(async () => {
      const { json } = await request('GET', '/notifications?all=true', { as: bob })
      return json.find((it: Json) => it.subject?.title === 'gone')
    })
    await drop(`${open}/issues/${number}`)
    return hasErrorShape(await call(MARK, 'PATCH', `/notifications/threads/${thread?.id}`, { as: bob }))
  })
  const EDIT_PROJECT = 'PATCH /repos/{owner}/{repo}/projects/{id}'
  await demand(EDIT_PROJECT, 'A deleted project is not found.', async () => {
    const { id } = await must(request('POST', `${open}/projects`, { as: alice, body: { title: 'p' } }))
    await drop(`${open}/projects/${id}`)
    const path = `${open}/projects/${id}`
    const answer = await call(EDIT_PROJECT, 'PATCH', path, { as: alice, body: { title: 'x' } })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(COMMITS, 'A deleted repository is not found.', async () => {
    await makeRepo(alice, 'dead')
    await drop(`/repos/${alice}/dead`)
    const answer = await call(COMMITS, 'GET', `/repos/${alice}/dead/commits`, { as: alice })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(READ_PACKAGE, 'A deleted package is not found.', async () => {
    const file = `/api/packages/${alice}/generic/d/1/f`
    await must(request('PUT', file, { as: alice, root: true, raw: 'x', headers: OCTETS }))
    await drop(`/packages/${alice}/generic/d/1`)
    const answer = await call(READ_PACKAGE, 'GET', `/packages/${alice}/generic/d/1`, { as: alice })
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
}

export async function askAboutGhosts({ demand, request, must, suffix }: Audit, stage: Stage): Promise<void> {
  const { alice, makeUser, makeIssue } = stage
  await demand(
    COMMENT,
    'The comment of a deleted user stays, with a user that has every field.',
    async () => {
      const name = `gone-${suffix}`
      await makeUser(name)
      const { number } = await makeIssue(`${alice}/open`, 'gh', alice)
      const path = `/repos/${alice}/open/issues/${number}/comments`
      await must(request('POST', path, { as: name, body: { body: 'mine' } }))
      await must(request('DELETE', `/admin/users/${name}?purge=false`))
      const { json } = await request('GET', path, { as: alice })
      return allOf(equals(json.length, 1), fits('Comment', json[0]))
    },
  )
}

export async function askAboutArchives({ call, demand }: Audit, stage: Stage): Promise<void> {
  const { alice, archivedIssue } = stage
  const old = `/repos/${alice}/old`
  const issue = `${old}/issues/${archivedIssue.number}`
  const changes = [
    [ADD_KEY, `${old}/keys`, { key: await makeKeyLine(), title: 'x' }],
    ['POST /repos/{owner}/{repo}/issues/{index}/times', `${issue}/times`, { time: 5 }],
    [
      'POST /repos/{owner}/{repo}/issues/{index}/blocks',
      `${issue}/blocks`,
      { index: 1, owner: alice, repo: 'open' },
    ],
    [EDIT_ISSUE, issue, { title: 'changed while archived' }],
  ] as const
  for (const [operation, path, body] of changes)
    await demand(operation, 'A change of an archived repository is refused with 423.', async () => {
      const answer = await call(operation, operation.split(' ')[0] ?? '', path, { as: alice, body })
      return allOf(hasStatus(answer, 423), hasErrorShape(answer))
    })
  for (const what of ['commits', 'activities/feeds', 'keys', 'actions/runs'])
    await demand(`GET /repos/{owner}/{repo}/${what}`, 'An archived repository can be read.', async () =>
      hasStatus(await call(`GET /repos/{owner}/{repo}/${what}`, 'GET', `${old}/${what}`, { as: alice }), 200),
    )
}

export async function askAboutKeysInUse({ demand, request, must }: Audit, { alice }: Stage): Promise<void> {
  const { ssh_url } = (await request('GET', `/repos/${alice}/hidden`, { as: alice })).json
  const pushWith = async (path: string, title: string, facts: object) => {
    using key = await SshKey.make()
    const { id } = await must(request('POST', path, { as: alice, body: { key: key.line, title, ...facts } }))
    return { id, said: await tryPush(ssh_url, title, { environment: key.environment }) }
  }
  const read = async (id: number) => (await request('GET', `/user/keys/${id}`, { as: alice })).json
  await demand(ADD_KEY, 'A deploy key with read_only fetches and does not push.', async () => {
    const { said } = await pushWith(`/repos/${alice}/hidden/keys`, 'deploy-reads', { read_only: true })
    return holds(said.startsWith('refused'), said)
  })
  await demand(ADD_KEY, 'A deploy key without read_only pushes.', async () => {
    const { said } = await pushWith(`/repos/${alice}/hidden/keys`, 'deploy-writes', { read_only: false })
    return equals(said, 'pushed')
  })
  await demand(ADD_USER_KEY, 'A key of a user with read_only fetches and does not push.', async () => {
    const { id, said } = await pushWith('/user/keys', 'user-reads', { read_only: true })
    return allOf(holds(said.startsWith('refused'), said), equals((await read(id)).read_only, true))
  })
  await demand(ADD_USER_KEY, 'updated_at is the time of the last use.', async () => {
    const { id, said } = await pushWith('/user/keys', 'user-writes', {})
    const usedAt = await until(async () => (await read(id)).last_used_at)
    return allOf(
      equals(said, 'pushed'),
      holds(usedAt, 'nothing tells of the use'),
      equals((await read(id)).updated_at, usedAt),
    )
  })
}

export async function askAboutNews(
  { call, demand, request, must, suffix }: Audit,
  stage: Stage,
): Promise<void> {
  const { alice, bob, makeRepo, makeIssue } = stage
  await demand(MARK_ALL, 'A thread that was updated exactly at last_read_at does not change.', async () => {
    await request('PUT', '/notifications?all=true&to-status=unread', { as: bob })
    const { json } = await request('GET', '/notifications?all=true', { as: bob })
    const time = encodeURIComponent(json.at(-1).updated_at)
    const answer = await call(MARK_ALL, 'PUT', `/notifications?last_read_at=${time}`, { as: bob })
    return equals(answer.json, [])
  })
  await demand(
    'POST /admin/hooks',
    'A default webhook is copied to a repository that is made later.',
    async () => {
      const url = 'http://127.0.0.1:9/d'
      const hook = { type: 'gitea', config: { url, content_type: 'json' }, events: ['push'], active: true }
      const { id } = await must(request('POST', '/admin/hooks', { body: hook }))
      await makeRepo(alice, 'withhook')
      const { json } = await request('GET', `/repos/${alice}/withhook/hooks`, { as: alice })
      await request('DELETE', `/admin/hooks/${id}`)
      return holds(
        json.some((it: Json) => it.config.url === url),
        'there is no webhook',
      )
    },
  )
  await demand(
    COMMITS,
    'A repository without commits is refused with message and url also with sha and path.',
    () =>
      each(['?sha=main', '?path=x'], async (query) => {
        const answer = await call(COMMITS, 'GET', `/repos/${alice}/void/commits${query}`, { as: alice })
        return allOf(
          hasStatus(answer, 409),
          holds(answer.json?.message && answer.json.url, 'there is no body'),
        )
      }),
  )
  await demand('GET /repos/search', 'A new repository is found at once.', async () => {
    await makeRepo(alice, `now-${suffix}`)
    const { json } = await request('GET', `/repos/search?q=now-${suffix}`, { as: alice })
    return equals(json.data.length, 1)
  })
  await demand('GET /repos/issues/search', 'A new issue is found at once.', async () => {
    await makeIssue(`${alice}/open`, `fresh${suffix}`, alice)
    const { json } = await request('GET', `/repos/issues/search?q=fresh${suffix}`, { as: alice })
    return equals(json.length, 1)
  })
}
