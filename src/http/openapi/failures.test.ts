/** Refusals in the documents: complete for every operation, and exactly what a running forge answers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '#cli'
import { type Forge, type Reply, startForge } from '#testing'
import { openApiDocument } from './document.ts'
import { swaggerDocument } from './swagger.ts'

interface Examples {
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>
}
interface Response {
  readonly description: string
  readonly content?: { readonly 'application/json': Examples }
  readonly headers?: Readonly<Record<string, Examples & { readonly description: string }>>
}
type Operations = Record<string, { readonly responses: Record<string, Response & { $ref?: string }> }>
interface Document {
  readonly paths: Record<string, Operations>
  readonly components: { readonly responses: Record<string, Response> }
}

const WORDS_MIN = 5
const BODY_BYTES_MAX = 4_096
const NOBODY_REQUESTS_MAX = 40

let forge: Forge
let shown: Document
const seen = new Set<unknown>()

before(async () => {
  forge = await startForge({
    config: {
      'log.level': 'silent',
      'http.body_bytes_max': BODY_BYTES_MAX,
      'http.held_visitor_bytes_max': 1_048_576,
      'http.nobody_requests_max': NOBODY_REQUESTS_MAX,
    },
  })
  shown = (await forge.call(null, 'GET', '//openapi.json')).body
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  await forge.person('bob')
  await forge.person('narrow', {}, ['read:user'])
  for (const name of ['site', 'old', 'away'])
    await make('ann', '/user/repos', { name, auto_init: true, default_branch: 'main' })
  await make('ann', '/user/repos', { name: 'void' })
  await make('root', '/orgs', { username: 'acme' })
})
after(() => forge[Symbol.asyncDispose]())

const valuesOf = ({ examples }: Examples) => Object.values(examples).map(({ value }) => value)
const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

async function make(as: string, path: string, body: unknown): Promise<Reply['body']> {
  const { status, body: made } = await forge.call(as, 'POST', path, body)
  assert.equal(status, 201, JSON.stringify(made))
  return made
}

/** Asserts that the answer has the status, headers and body of an example in the document. */
function hold(operation: string, status: number, reply: Reply): void {
  const [method = '', path = ''] = operation.split(' ')
  assert.equal(reply.status, status, JSON.stringify(reply.body))
  const listed = shown.paths[path]?.[method.toLowerCase()]?.responses[status]
  assert.ok(listed?.$ref, `${operation} lists no ${status}`)
  const { content, headers = {} } = shown.components.responses[nameOf(listed.$ref)] as Response
  const bodies = content && valuesOf(content['application/json'])
  if (bodies !== undefined) assert.deepEqual(reply.body, bodies.find(isSame(reply.body)) ?? bodies[0])
  else if (status >= 400) assert.equal(reply.body, null, 'the document shows no body')
  if (reply.body?.message !== undefined) seen.add(reply.body.message)
  for (const [name, header] of Object.entries(headers)) {
    const value = reply.headers.get(name)
    if (name === 'retry-after') assert.match(value ?? '', /^\d+$/)
    else assert.ok(valuesOf(header).includes(value), `${name} of ${operation}: ${value}`)
    seen.add(value)
  }
}

const isSame = (body: unknown) => (example: unknown) => JSON.stringify(example) === JSON.stringify(body)

test('every refusal of every operation has a description and an example', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(routes, 'http://forge.test'))) as Document
  const poor = refusalsOf(document).filter(([, response]) => {
    const { description = '', content, headers = {} } = response ?? {}
    const examples = [...(content ? [content['application/json']] : []), ...Object.values(headers)]
    const isShown = examples.length > 0 && examples.every((it) => valuesOf(it).length > 0)
    return description.split(' ').length < WORDS_MIN || !isShown
  })
  assert.deepEqual(poor, [])
})

test('the Swagger 2.0 document shows the same refusals', () => {
  const refusals = refusalsOf(shown).map(([line]) => line)
  const older = JSON.parse(JSON.stringify(swaggerDocument(routes, 'http://forge.test')))
  const paths = older.paths as Document['paths']
  assert.deepEqual(
    refusalsOf({ paths, components: { responses: older.responses } }).map(([line]) => line),
    refusals,
  )
  for (const [name, { schema, examples, headers }] of Object.entries<Record<string, unknown>>(
    older.responses,
  )) {
    assert.equal(schema === undefined, examples === undefined, name)
    assert.ok(examples ?? headers, `${name} has no example`)
  }
})

/** Each operation and status, with its documented response if there is one. */
function refusalsOf({ paths, components }: Document): (readonly [string, Response | undefined])[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { $ref = '' }]) => {
          const line = `${method.toUpperCase()} ${path} ${status} ${nameOf($ref)}`
          return [line, components.responses[nameOf($ref)]] as const
        }),
    ),
  )
}

test('400: an address that cannot be decoded', async () => {
  hold('GET /repos/{owner}/{repo}', 400, await forge.call('ann', 'GET', '/repos/ann/%ff'))
})

test('401: missing and wrong credentials', async () => {
  hold('GET /user', 401, await forge.call(null, 'GET', '/user'))
  hold(
    'GET /user',
    401,
    await forge.call(null, 'GET', '/user', undefined, { authorization: 'token nonsense' }),
  )
})

test('403: a missing role, and a missing scope', async () => {
  hold('GET /admin/cron', 403, await forge.call('ann', 'GET', '/admin/cron'))
  const edit = await forge.call('narrow', 'PATCH', '/user/settings', { full_name: 'Narrow' })
  hold('PATCH /user/settings', 403, edit)
})

test('404: a repository that does not exist', async () => {
  hold('GET /repos/{owner}/{repo}', 404, await forge.call('ann', 'GET', '/repos/ann/nothing'))
})

test('405: merging a draft, and teams of a repository without an organization', async () => {
  const merge = await forge.call(
    'ann',
    'POST',
    `/repos/ann/site/pulls/${await propose('WIP: draft')}/merge`,
    {
      Do: 'merge',
    },
  )
  hold('POST /repos/{owner}/{repo}/pulls/{index}/merge', 405, merge)
  hold('GET /repos/{owner}/{repo}/teams', 405, await forge.call('ann', 'GET', '/repos/ann/site/teams'))
})

test('409: a name that is taken, and the commits of an empty repository', async () => {
  hold('POST /user/repos', 409, await forge.call('ann', 'POST', '/user/repos', { name: 'site' }))
  hold('GET /repos/{owner}/{repo}/commits', 409, await forge.call('ann', 'GET', '/repos/ann/void/commits'))
})

test('412, and 400 or 422 in its place: an issue or pull request with open dependencies', async () => {
  const pull = await propose('blocked')
  const place = '/repos/ann/site'
  const { number: issue } = await make('ann', `${place}/issues`, { title: 'blocked too' })
  const { number: index } = await make('ann', `${place}/issues`, { title: 'work' })
  const blocker = { owner: 'ann', repo: 'site', index }
  for (const number of [pull, issue]) await make('ann', `${place}/issues/${number}/dependencies`, blocker)
  const merge = await forge.call('ann', 'POST', `${place}/pulls/${pull}/merge`, { Do: 'merge' })
  hold('POST /repos/{owner}/{repo}/pulls/{index}/merge', 412, merge)
  const close = (path: string) => forge.call('ann', 'PATCH', `${place}${path}`, { state: 'closed' })
  hold('PATCH /repos/{owner}/{repo}/issues/{index}', 400, await close(`/issues/${issue}`))
  hold('PATCH /repos/{owner}/{repo}/pulls/{index}', 422, await close(`/pulls/${pull}`))
})

test('413: a body over the limit', async () => {
  const name = 'x'.repeat(BODY_BYTES_MAX)
  hold('POST /user/repos', 413, await forge.call('ann', 'POST', '/user/repos', { name }))
})

test('422, and 400 in its place: a missing field, and malformed JSON', async () => {
  hold('POST /user/repos', 422, await forge.call('ann', 'POST', '/user/repos', {}))
  hold('POST /user/repos', 422, await forge.call('ann', 'POST', '/user/repos', '{'))
  hold('POST /orgs/{org}/repos', 400, await forge.call('root', 'POST', '/orgs/acme/repos', {}))
})

test('423: an archived repository', async () => {
  await forge.call('ann', 'PATCH', '/repos/ann/away', { archived: true })
  const issue = await forge.call('ann', 'POST', '/repos/ann/away/issues', { title: 'late' })
  hold('POST /repos/{owner}/{repo}/issues', 423, issue)
})

test('301 and 308, 302 and 307: a renamed repository and a renamed account', async () => {
  const edited = { description: 'x' }
  await forge.call('ann', 'PATCH', '/repos/ann/old', { name: 'new' })
  hold('GET /repos/{owner}/{repo}', 301, await forge.call('ann', 'GET', '/repos/ann/old'))
  hold('PATCH /repos/{owner}/{repo}', 308, await forge.call('ann', 'PATCH', '/repos/ann/old', edited))
  await forge.call('root', 'POST', '/admin/users/bob/rename', { new_username: 'bobby' })
  hold('GET /repos/{owner}/{repo}', 302, await forge.call('ann', 'GET', '/repos/bob/site'))
  hold('PATCH /repos/{owner}/{repo}', 307, await forge.call('ann', 'PATCH', '/repos/bob/site', edited))
})

test('503: more concurrent bodies than the node has memory for', async () => {
  const body = { content: 'A'.repeat(1_100_000), message: 'large' }
  const path = '/repos/{owner}/{repo}/contents/{filepath}'
  hold(`POST ${path}`, 503, await forge.call('ann', 'POST', '/repos/ann/site/contents/large', body))
})

test('429: more requests than a caller may send', async () => {
  for (let sent = 0; sent < NOBODY_REQUESTS_MAX; sent++) await forge.call(null, 'GET', '/version')
  hold('GET /version', 429, await forge.call(null, 'GET', '/version'))
})

test('every example of the document was requested from the forge', () => {
  const messages = Object.values(shown.components.responses).flatMap(({ content, headers = {} }) => [
    ...(content
      ? valuesOf(content['application/json']).map((it) => (it as { message: string }).message)
      : []),
    ...[headers.message, headers.location].flatMap((it) => (it ? valuesOf(it) : [])),
  ])
  assert.deepEqual(
    messages.filter((it) => !seen.has(it)),
    [],
  )
})

/** Opens a pull request that adds a file; returns its number. */
async function propose(title: string): Promise<number> {
  const branch = title.replace(/\W/g, '')
  const file = { content: 'eA==', message: 'add', branch: 'main', new_branch: branch }
  await make('ann', `/repos/ann/site/contents/${branch}`, file)
  const { number } = await make('ann', '/repos/ann/site/pulls', { title, head: branch, base: 'main' })
  return number
}
