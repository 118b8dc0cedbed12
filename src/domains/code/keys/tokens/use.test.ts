/** What tokens did: shown by day, proposed as limits, applied with one button, without a statement of any request. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

const DAY_MS = 86_400_000

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'eve']) await forge.person(login)
  for (const name of ['used', 'unused']) {
    await forge.call('ann', 'POST', '/user/repos', { name, auto_init: true })
    await forge.call('ann', 'POST', `/repos/ann/${name}/issues`, { title: 'one' })
  }
})
after(() => forge[Symbol.asyncDispose]())

const basic = (login: string) => ({ authorization: `Basic ${btoa(`${login}:${forge.tokenOf(login)}`)}` })
/** Tokens are managed with HTTP Basic. */
const manage = (method: 'GET' | 'POST', path: string, body?: unknown, login = 'ann') =>
  forge.call(null, method, `/users/ann/tokens${path}`, body, basic(login))

async function make(name: string, scopes = ['all']) {
  const { body, status } = await manage('POST', '', { name, scopes })
  assert.equal(status, 201, JSON.stringify(body))
  const headers = { authorization: `token ${body.sha1}` }
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, sent?: unknown) =>
    forge.call(null, method, path, sent, headers)
  return { id: body.id as number, sha1: body.sha1 as string, call }
}

async function useOf(id: number) {
  await forge.world.tokenUse.save()
  const { body, status } = await manage('GET', `/${id}/use`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('the use of a token shows repositories, units and levels; a proposal limits it to just that', async () => {
  const { id, call, sha1 } = await make('worker')
  assert.equal((await call('GET', '/repos/ann/used/issues/1')).status, 200)
  assert.equal((await call('POST', '/repos/ann/used/issues/1/comments', { body: 'hi' })).status, 201)
  assert.equal((await call('GET', '/repos/ann/used/contents/README.md')).status, 200)
  const { uses, proposal, days } = await useOf(id)
  assert.equal(days, 90)
  const { body: repo } = await forge.call('ann', 'GET', '/repos/ann/used')
  assert.deepEqual(proposal, {
    repository_ids: [repo.id],
    units_map: { 'repo.code': 'read', 'repo.issues': 'write' },
  })
  assert.ok(uses.every((it: { repository: { full_name: string } }) => it.repository.full_name === 'ann/used'))
  assert.ok(uses.every((it: { is_lost: boolean }) => !it.is_lost))
  const narrowed = await manage('POST', `/${id}/limits`, proposal)
  assert.equal(narrowed.status, 200, JSON.stringify(narrowed.body))
  assert.equal((await call('POST', '/repos/ann/used/issues/1/comments', { body: 'again' })).status, 201)
  assert.equal((await call('GET', '/repos/ann/used/contents/README.md')).status, 200)
  assert.equal((await call('GET', '/repos/ann/used/pulls')).status, 404)
  assert.equal((await call('POST', '/repos/ann/used/contents/x', { content: btoa('x') })).status, 403)
  assert.equal(
    (await forge.call(null, 'GET', '/user/repos', undefined, { authorization: `token ${sha1}` })).body.length,
    1,
  )
  assert.equal((await call('GET', '/repos/ann/unused/issues/1')).status, 404)
})

test('git over HTTP counts as well', async () => {
  const { id, sha1 } = await make('git')
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true, auto_init: true })
  await using git = await GitClient.open(forge, 'ann', 'ann/vault')
  // Git asks for a public repository without credentials.
  const url = `${forge.base.replace('://', `://ann:${sha1}@`)}/ann/vault.git`
  await git.ok('ls-remote', url)
  assert.deepEqual((await useOf(id)).proposal.units_map, { 'repo.code': 'read' })
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.commit('a.txt', 'a\n')
  await git.ok('push', '--quiet', url, 'HEAD:refs/heads/side')
  assert.equal((await useOf(id)).proposal.units_map['repo.code'], 'write')
})

test('what a limited token cannot do is shown as lost', async () => {
  const { id, call } = await make('admin')
  assert.equal((await call('PATCH', '/user/settings', { full_name: 'Ann' })).status, 200)
  assert.equal((await call('GET', '/repos/ann/used/hooks')).status, 200)
  const { uses, proposal } = await useOf(id)
  const lost = uses.filter((it: { is_lost: boolean }) => it.is_lost)
  assert.deepEqual(
    lost.map((it: { repository: object | null; level: string }) => [it.repository === null, it.level]).sort(),
    [
      [false, 'admin'],
      [true, 'write'],
    ].sort(),
  )
  assert.equal(proposal, null)
})

test('narrowing never permits more, and ends the tokens that the token made', async () => {
  const { id, call } = await make('parent')
  const { body: used } = await forge.call('ann', 'GET', '/repos/ann/used')
  const { body: unused } = await forge.call('ann', 'GET', '/repos/ann/unused')
  const { body: child } = await call('POST', '/token/narrowed', { seconds: 600 })
  await manage('POST', `/${id}/limits`, { repository_ids: [used.id] })
  const asChild = { authorization: `token ${child.sha1}` }
  assert.equal((await forge.call(null, 'GET', '/user', undefined, asChild)).status, 401)
  await manage('POST', `/${id}/limits`, { repository_ids: [used.id, unused.id] })
  assert.equal((await call('GET', '/repos/ann/unused')).status, 404)
  assert.equal((await call('GET', '/repos/ann/used')).status, 200)
})

test('a request costs no statement more', async () => {
  const { call } = await make('counted')
  await call('GET', '/repos/ann/used/issues/1')
  await forge.world.tokenUse.save()
  const texts = await forge.listQueries(() => call('GET', '/repos/ann/used/issues/1'))
  const first = await forge.listQueries(() => call('GET', '/repos/ann/unused/issues/1'))
  assert.equal(first.length, texts.length, first.join('\n'))
  assert.ok([...texts, ...first].every((text) => !/\btoken_use\b/.test(text)))
  assert.equal(await forge.countQueries(() => call('GET', '/user')), 1)
})

test('uses of before 90 days do not count, and are swept', async () => {
  const { id, call } = await make('old')
  await call('GET', '/repos/ann/used/issues/1')
  assert.notEqual((await useOf(id)).uses.length, 0)
  forge.advance(91 * DAY_MS)
  assert.equal((await useOf(id)).uses.length, 0)
  await forge.runTask('sweep_token_use')
  const { rows } = await forge.pool.query('select from token_use where token_id = $1', [id])
  assert.equal(rows.length, 0)
})

test('another user sees and narrows nothing', async () => {
  const { id } = await make('private')
  assert.equal((await manage('GET', `/${id}/use`, undefined, 'eve')).status, 403)
  assert.equal((await manage('POST', `/${id}/limits`, { repository_ids: [1] }, 'eve')).status, 403)
})

test('a token with more uses than are written one by one gets no proposal', async () => {
  const { id } = await make('busy')
  for (let place = 1; place <= 400; place++)
    forge.world.tokenUse.note(id, { placeId: place, part: 'code', level: 'read' })
  assert.equal((await useOf(id)).proposal, null)
  const { rows } = await forge.pool.query('select count(*)::int as held from token_use where token_id = $1', [
    id,
  ])
  assert.equal(rows[0].held, 301)
})

test('the page of a token shows its use, and limits it with one button', async () => {
  const { id, call } = await make('by page')
  await call('GET', '/repos/ann/used/issues/1')
  await forge.world.tokenUse.save()
  const browser = await forge.browserOf('ann')
  const list = (await browser.get('/user/settings/applications')).text
  assert.match(list, new RegExp(`/user/settings/applications/tokens/${id}`))
  const path = `/user/settings/applications/tokens/${id}`
  const shown = (await browser.get(path)).text
  assert.match(shown, /ann\/used/)
  assert.match(shown, /127\.0\.0\.1/)
  const { status } = await browser.submit(path, 'narrow', {})
  assert.ok(status < 400, String(status))
  assert.equal((await call('GET', '/repos/ann/unused')).status, 404)
  assert.equal((await call('GET', '/repos/ann/used/issues/1')).status, 200)
})
