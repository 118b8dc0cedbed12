/** Blocks: by users over REST, by organizations through the functions. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { startForge } from '#testing'
import type { Account } from '../tables.ts'
import { blockAccount, listBlocked, unblockAccount } from './blocks.ts'
import { isBlocked, isBlockedEitherWay } from './ties.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const ann = await forge.person('ann')
const bob = await forge.person('bob')
const cid = await forge.person('cid')
await forge.person('hidden', { visibility: 'private' })
const guild = await forge.person('guild', { kind: 'organization' })

const block = (as: string | null, whom: string) => forge.call(as, 'PUT', `/user/blocks/${whom}`)
const unblock = (as: string, whom: string) => forge.call(as, 'DELETE', `/user/blocks/${whom}`)

test('a block ends follows both ways and prevents new ones', async () => {
  await forge.call('ann', 'PUT', '/user/following/bob')
  await forge.call('bob', 'PUT', '/user/following/ann')
  assert.equal((await forge.call('ann', 'PUT', '/user/blocks/bob?note=rude')).status, 204)
  for (const name of ['ann', 'bob']) {
    const { body } = await forge.call(name, 'GET', '/user')
    assert.deepEqual([body.followers_count, body.following_count], [0, 0], name)
  }
  assert.equal((await forge.call('bob', 'PUT', '/user/following/ann')).status, 403)
  assert.equal((await forge.call('ann', 'PUT', '/user/following/bob')).status, 403)
  assert.equal((await forge.call('ann', 'GET', '/user/blocks/bob')).status, 204)
  assert.equal((await forge.call('bob', 'GET', '/user/blocks/ann')).status, 404)
  assert.equal(await isBlocked(forge.db, ann.id, bob.id), true)
  assert.equal(await isBlocked(forge.db, bob.id, ann.id), false)
  assert.equal(await isBlockedEitherWay(forge.db, bob.id, ann.id), true)
  const row = await forge.db.selectFrom('account_block').select('note').executeTakeFirst()
  assert.equal(row?.note, 'rude')

  assert.equal((await unblock('ann', 'bob')).status, 204)
  assert.equal((await unblock('ann', 'bob')).status, 400, 'nobody is let go twice')
  assert.equal((await forge.call('bob', 'PUT', '/user/following/ann')).status, 204)
})

test('a blocked user is listed and can be unblocked even when no longer visible', async () => {
  assert.equal((await block('ann', 'hidden')).status, 404)
  const show = (visibility: 'public' | 'private') =>
    forge.db.updateTable('account').set({ visibility }).where('login', '=', 'hidden').execute()
  await show('public')
  for (const whom of ['cid', 'hidden']) assert.equal((await block('ann', whom)).status, 204)
  await show('private')
  const listed = await forge.call('ann', 'GET', '/user/blocks?limit=1')
  assert.equal(listed.headers.get('x-total-count'), '2')
  assert.deepEqual(
    listed.body.map((it: { login: string }) => it.login),
    ['cid'],
  )
  const second = await forge.call('ann', 'GET', '/user/blocks?limit=1&page=2')
  assert.deepEqual(
    second.body.map((it: { login: string }) => it.login),
    ['hidden'],
  )
  for (const whom of ['cid', 'hidden']) assert.equal((await unblock('ann', whom)).status, 204)
})

for (const { as, whom, status } of [
  { as: null, whom: 'cid', status: 401 },
  { as: 'ann', whom: 'ann', status: 400 },
  { as: 'ann', whom: 'guild', status: 400 },
  { as: 'ann', whom: 'nobody', status: 404 },
  { as: 'ann', whom: `cid?note=${'x'.repeat(256)}`, status: 422 },
])
  test(`${as ?? 'anonymous'} cannot block ${whom.slice(0, 12)}: ${status}`, async () => {
    assert.equal((await block(as, whom)).status, status)
  })

test('blocking a user twice is refused', async () => {
  assert.equal((await block('bob', 'cid')).status, 204)
  assert.equal((await block('bob', 'cid')).status, 400)
  await unblock('bob', 'cid')
})

test('a follow concurrent with a block does not remain', async () => {
  for (let round = 0; round < 10; round++) {
    await Promise.all([block('ann', 'cid'), forge.call('cid', 'PUT', '/user/following/ann')])
    assert.equal((await forge.call('cid', 'GET', '/user/following/ann')).status, 404)
    assert.equal((await forge.call('ann', 'GET', '/user')).body.followers_count, 1, 'only bob is left')
    await unblock('ann', 'cid')
  }
})

test('an organization can block a user, but neither a member nor the acting owner', async () => {
  const owner = { ...ann, id: ann.id } as unknown as SignedIn
  await forge.db.insertInto('membership').values({ organization_id: guild.id, user_id: bob.id }).execute()
  const blockForGuild = (account: Account) =>
    blockAccount(forge.ctx, { actor: owner, blocker: guild, account, note: '' })
  await blockForGuild(cid)
  const page = { number: 1, limit: 10, offset: 0 }
  const { items, total } = await listBlocked(forge.ctx, guild, page)
  assert.deepEqual([items.map(({ login }) => login), total], [['cid'], 1])
  const isRefused = (problem: Problem) => problem.kind === 'malformed'
  await assert.rejects(blockForGuild(bob), isRefused)
  await assert.rejects(blockForGuild(ann), isRefused)
  await unblockAccount(forge.ctx, owner, guild, cid)
  await assert.rejects(unblockAccount(forge.ctx, owner, guild, cid), isRefused)
})
