/** Locks: one holder for each path, listed page by page, taken away only by their holder or an administrator. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { lfs } from '#testing/slices/lfs'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const login of ['ann', 'bob', 'carl', 'eve']) await forge.person(login)
  for (const name of ['site', 'other'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: true })
  for (const [login, permission] of [
    ['bob', 'write'],
    ['carl', 'read'],
  ] as const)
    await forge.call('ann', 'PUT', `/repos/ann/site/collaborators/${login}`, { permission })
})
after(() => forge[Symbol.asyncDispose]())

const ask = (as: string | null, method: string, path: string, json?: unknown, repo = 'ann/site') =>
  lfs(forge, as, method, repo, `/locks${path}`, json === undefined ? {} : { json })
const take = (as: string | null, path: unknown) => ask(as, 'POST', '', { path })
const paths = (locks: readonly { path: string }[]) => locks.map(({ path }) => path)

test('a path is locked once: the second caller gets the lock that is in the way', async () => {
  const { status, json } = await take('ann', 'art/cat.psd')
  assert.equal(status, 201)
  assert.match(json.lock.locked_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.deepEqual([json.lock.path, json.lock.owner], ['art/cat.psd', { name: 'ann' }])
  const second = await take('bob', 'art/cat.psd')
  assert.deepEqual([second.status, second.json.lock], [409, json.lock])
  assert.equal(second.json.message, 'already created lock')
  const both = await Promise.all(['ann', 'bob'].map((as) => take(as, 'at-once.psd')))
  assert.deepEqual(both.map((it) => it.status).toSorted(), [201, 409])
})

test('locks are listed, filtered and paged with a cursor', async () => {
  for (const name of ['a', 'b', 'c']) await take('bob', `pages/${name}`)
  const seen: string[] = []
  let cursor = ''
  do {
    const { json } = await ask('carl', 'GET', `?limit=2&cursor=${cursor}`)
    assert.ok(json.locks.length <= 2)
    seen.push(...paths(json.locks))
    cursor = json.next_cursor ?? ''
  } while (cursor !== '')
  assert.deepEqual(seen, ['art/cat.psd', 'at-once.psd', 'pages/a', 'pages/b', 'pages/c'])
  const { json } = await ask('carl', 'GET', '?path=pages/b')
  assert.deepEqual(paths(json.locks), ['pages/b'])
  assert.deepEqual(paths((await ask('carl', 'GET', `?id=${json.locks[0].id}`)).json.locks), ['pages/b'])
  assert.deepEqual((await ask('ann', 'GET', '', undefined, 'ann/other')).json, { locks: [] })
})

test('a pusher learns which locks are theirs', async () => {
  const { status, json } = await ask('bob', 'POST', '/verify', { ref: { name: 'refs/heads/main' } })
  assert.equal(status, 200)
  assert.ok(paths(json.ours).includes('pages/a'))
  assert.ok(paths(json.theirs).includes('art/cat.psd'))
  const page = await ask('bob', 'POST', '/verify', { limit: 1 })
  assert.equal(page.json.ours.length + page.json.theirs.length, 1)
  const next = await ask('bob', 'POST', '/verify', { limit: 100, cursor: page.json.next_cursor })
  assert.equal(next.json.ours.length + next.json.theirs.length, 4)
})

test('a lock is removed by its holder, and by an administrator with force', async () => {
  const idOf = async (path: string) => (await ask('ann', 'GET', `?path=${path}`)).json.locks[0].id
  const [own, theirs] = [await idOf('pages/a'), await idOf('art/cat.psd')]
  const done = await ask('bob', 'POST', `/${own}/unlock`, {})
  assert.deepEqual([done.status, done.json.lock.path], [200, 'pages/a'])
  assert.equal((await ask('bob', 'POST', `/${own}/unlock`, {})).status, 404)
  for (const force of [false, true])
    assert.equal((await ask('bob', 'POST', `/${theirs}/unlock`, { force })).status, 403)
  const bobs = await idOf('pages/b')
  assert.equal((await ask('ann', 'POST', `/${bobs}/unlock`, {})).status, 403)
  assert.equal((await ask('ann', 'POST', `/${bobs}/unlock`, { force: true })).status, 200)
})

test('locks of another repository cannot be named', async () => {
  const { json } = await ask('ann', 'POST', '', { path: 'x' }, 'ann/other')
  assert.equal((await ask('ann', 'POST', `/${json.lock.id}/unlock`, { force: true })).status, 404)
  assert.deepEqual((await ask('ann', 'GET', `?id=${json.lock.id}`)).json, { locks: [] })
})

for (const [who, as, list, write] of [
  ['a reader', 'carl', 200, 403],
  ['a stranger', 'eve', 404, 404],
  ['nobody', null, 401, 401],
] as const)
  test(`${who} gets ${list} for the list, and ${write} for locking, verifying and unlocking`, async () => {
    assert.equal((await ask(as, 'GET', '')).status, list)
    assert.equal((await take(as, 'new')).status, write)
    assert.equal((await ask(as, 'POST', '/verify', {})).status, write)
    assert.equal((await ask(as, 'POST', '/1/unlock', { force: true })).status, write)
  })

test('a deploy token lists locks and holds none', async () => {
  const { body } = await forge.call('ann', 'POST', '/repos/ann/site/keys/tokens', { title: 'd' })
  const headers = { authorization: `Basic ${Buffer.from(`x:${body.token}`).toString('base64')}` }
  assert.equal((await lfs(forge, null, 'GET', 'ann/site', '/locks', { headers })).status, 200)
  const made = await lfs(forge, null, 'POST', 'ann/site', '/locks', { headers, json: { path: 'x' } })
  assert.equal(made.status, 403)
})

test('paths that leave the work tree, and cursors that are none, are refused', async () => {
  const hostile = [
    '',
    '/',
    '/etc/passwd',
    '../x',
    'a/../../x',
    './x',
    'a//b',
    'a/',
    '.git/config',
    'a\0b',
    'a\nb',
  ]
  for (const path of [...hostile, 'x'.repeat(1_025), '\ud800', 1, null, ['x'], undefined])
    assert.equal((await take('ann', path)).status, 422, String(path))
  for (const query of ['cursor=-1', 'cursor=x', 'limit=-1', 'limit=1e9', 'id=1;', `cursor=${'9'.repeat(20)}`])
    assert.equal((await ask('ann', 'GET', `?${query}`)).status, 422, query)
  for (const id of ['x', '-1', '9'.repeat(30)])
    assert.equal((await ask('ann', 'POST', `/${id}/unlock`, {})).status, 404)
})

test('a list costs the same number of statements for one lock as for many', async () => {
  const count = (limit: number) => forge.countQueries(() => ask('ann', 'GET', `?limit=${limit}`))
  assert.equal(await count(100), await count(1))
})
