/**
 * Every route with odd input: everything is answered, nothing with a 500, and no rejection goes unhandled, which would
 * end a node.
 */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { routes } from '#cli'
import type { Route } from '#platform/rest'
import { type Forge, startForge } from '#testing'

let forge: Forge
const unheard: unknown[] = []
const hear = (reason: unknown) => void unheard.push(reason)
before(async () => {
  process.on('unhandledRejection', hear)
  forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  await forge.call('ann', 'POST', '/user/repos', { name: 'town', auto_init: true })
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  process.off('unhandledRejection', hear)
})

const REAL: Readonly<Record<string, string>> = {
  owner: 'ann',
  username: 'ann',
  repo: 'town',
  org: 'guild',
  branch: 'main',
  filepath: 'README.md',
  sha: 'main',
  ref: 'main',
}
const ODD = [
  '-1',
  '0',
  '99999999999999999999',
  '%2e%2e%2f%2e%2e',
  '%00',
  '--help',
  '%F0%9F%94%A5',
  'a'.repeat(900),
]
const QUERIES = [
  '?page=-1&limit=x',
  '?ref=--all&sha=%00&path=..%2f&q=%25%5C&since=never&state=x&sort=x&type=x&uid=-9',
]
/** A lone surrogate, which JSON can express and PostgreSQL cannot store. */
const HALF = 'a\ud800b'
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '"x"',
  '{"',
  '['.repeat(20_000),
  JSON.stringify({
    content: '!',
    sha: '-',
    branch: '..',
    name: '\0',
    title: [],
    id: -1,
    url: '//',
    type: {},
  }),
  JSON.stringify({ title: HALF, body: HALF, name: HALF, ref: HALF, description: HALF, tag_name: HALF }),
]

/** Rotates, so that each route gets another one, and each run is the same. */
let turn = 0
const next = (all: readonly string[]) => all[turn++ % all.length] ?? ''

function address(route: Route, isOdd: boolean): string {
  const fill = (name: string) => (isOdd ? next(ODD) : (REAL[name] ?? next(ODD)))
  const path = route.path.replaceAll(/[:*](\w+)/g, (_, name: string) => fill(name))
  return (route.isPage ? '' : '/api/v1') + path + next(QUERIES)
}

interface Asked {
  readonly status: number
  readonly path: string
}

function ask(route: Route, isOdd: boolean, leaves = false): Promise<Asked> {
  const type = next(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'nonsense'])
  const body = route.method === 'GET' ? '' : next(BODIES)
  return send(route.method, address(route, isOdd), type, body, leaves)
}

function send(method: string, path: string, type: string, body: string, leaves: boolean): Promise<Asked> {
  const headers = {
    authorization: `Basic ${btoa(`${forge.tokenOf(next(['ann', 'root']))}:x-oauth-basic`)}`,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  }
  return new Promise((resolve) => {
    const asking = request(forge.base, { path, method, headers }, (answer) => {
      answer.resume().once('close', () => resolve({ status: answer.statusCode ?? 0, path }))
    })
    asking.once('error', () => resolve({ status: 0, path }))
    asking.end(body)
    if (leaves) setTimeout(() => asking.destroy(), turn % 12)
  })
}

const ZERO = '0'.repeat(40)
const LINES = [
  '',
  '0000',
  'zzzz',
  '0fffhello',
  `0032want ${ZERO}\n00000009done\n`,
  '0011command=fetch0001000ffilter corrupt0000',
  '0014command=ls-refs\n0000',
  `0077${ZERO} ${ZERO} refs/heads/x\0 report-status0000`,
]

for (const service of ['git-upload-pack', 'git-receive-pack'])
  test(`${service} answers malformed requests, with and without early disconnects`, async () => {
    const type = `application/x-${service}-request`
    for (const line of LINES)
      for (const leaves of [false, true]) {
        const { status } = await send('POST', `/ann/town.git/${service}`, type, line, leaves)
        assert.ok(status < 500, line)
      }
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.deepEqual(unheard, [])
  })

test('a large body of many small values is refused before it is parsed', async () => {
  const value = { message: 'm', content: '' }
  const many = `{"files":[${'{},'.repeat(800_000)}{}],"message":"m"}`
  const headers = { authorization: `token ${forge.tokenOf('ann')}`, 'content-type': 'application/json' }
  const send = (path: string, body: string) =>
    fetch(`${forge.base}/api/v1/repos/ann/town/contents${path}`, { method: 'POST', headers, body })
  const refused = await send('', many)
  assert.equal(refused.status, 422)
  assert.match(await refused.text(), /too many values/)
  const commas = await send('/large.txt', JSON.stringify({ ...value, content: ',{['.repeat(500_000) }))
  assert.doesNotMatch(await commas.text(), /too many values/, 'what a text consists of does not count')
})

const isDeletion = ({ method }: Route) => method === 'DELETE'
/** Deletions last: deleted objects could not be requested any more, and a revoked token could not be used. */
const inOrder = [...routes.filter((route) => !isDeletion(route)), ...routes.filter(isDeletion)]

for (const [how, isOdd, leaves] of [
  ['for what is there', false, false],
  ['by somebody who leaves', false, true],
  ['for what cannot be', true, false],
] as const)
  test(`every route is requested ${how} without an internal error`, async () => {
    assert.ok(inOrder.length > 250, 'all routes are here')
    const faults: string[] = []
    for (const route of inOrder) {
      if (isDeletion(route) && !isOdd) continue
      const { status, path } = await ask(route, isOdd, leaves)
      if (status >= 500) faults.push(`${route.method} ${path.slice(0, 200)}: ${status}`)
    }
    // Unhandled rejections surface a moment later, some with the next garbage collection.
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.deepEqual(faults, [])
    assert.deepEqual(unheard, [])
  })

for (const [method, path, body] of [
  ['POST', '/repos/ann/town/issues', { title: HALF, body: HALF, ref: HALF }],
  ['POST', '/repos/ann/town/labels', { name: HALF, color: '#00aabb', description: HALF }],
  ['POST', '/repos/ann/town/releases', { tag_name: 'v1', name: HALF, body: HALF }],
  ['POST', '/repos/ann/town/git/refs', { ref: `refs/heads/${HALF}`, sha: HALF }],
  ['POST', '/repos/ann/town/wiki/new', { title: HALF, content_base64: 'YQ==', message: HALF }],
  ['PATCH', '/user/settings', { full_name: HALF, description: HALF }],
  ['POST', '/orgs/guild/teams', { name: 'crew', description: HALF, units_map: { [HALF]: 'read' } }],
  ['POST', '/repos/ann/town/hooks', { type: 'gitea', config: { url: 'https://x.invalid/', [HALF]: HALF } }],
] as const)
  test(`${method} ${path} with a lone surrogate causes no internal error`, async () => {
    await forge.call('ann', 'POST', '/user/repos', { name: 'town', auto_init: true })
    assert.ok((await forge.call('ann', method, path, body)).status < 500)
  })

test('an import whose description has a lone surrogate is accepted', async () => {
  const wish = { clone_addr: 'https://x.invalid/a', repo_name: 'away', description: HALF }
  let status = 0
  const asked = forge.call('ann', 'POST', '/repos/migrate', wish).then((answer) => {
    status = answer.status
  })
  for (let tries = 0; status === 0 && tries < 200; tries++) {
    await forge.runJobs()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await asked
  // The source does not exist.
  assert.equal(status, 422)
})
