/** Deleting users. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '#platform/context'
import type { Problem } from '#platform/problem'
import { startForge } from '#testing'
import { count } from './accounts.ts'
import { actorOf } from './actors.ts'
import { deleteUser } from './delete-user.ts'
import { openManaged } from './open-user.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const root = await forge.person('root', { is_admin: true })
const guild = await forge.person('guild', { kind: 'organization' })
const actor = actorOf(root, { publicOnly: false, via: 'process', tokenId: null })

async function remove(login: string): Promise<void> {
  const ctx = { ...forge.ctx, actor }
  const { admin, user } = await openManaged({ ctx }, login)
  await deleteUser(ctx, admin, user, { purge: false })
}
const isInvalid = (problem: Problem) => problem.kind === 'invalid'

test('a deleted user is removed from lists, counters and credentials, and the name is free again', async () => {
  await forge.person('leaver')
  for (const name of ['fan', 'idol']) await forge.person(name)
  await forge.call('fan', 'PUT', '/user/following/leaver')
  await forge.call('leaver', 'PUT', '/user/following/idol')
  await forge.call('leaver', 'PUT', '/user/following/fan')
  await forge.call('fan', 'PUT', '/user/following/idol')
  await forge.call('root', 'POST', '/admin/users/leaver/rename', { new_username: 'left' })
  await remove('left')
  assert.equal((await forge.call('root', 'GET', '/users/left')).status, 404)
  assert.equal((await forge.call('root', 'GET', '/users/leaver')).status, 404, 'the old name leads nowhere')
  assert.equal((await forge.call('leaver', 'GET', '/user')).status, 401, 'the token is worth nothing')
  const fan = (await forge.call('fan', 'GET', '/user')).body
  const idol = (await forge.call('idol', 'GET', '/user')).body
  assert.deepEqual([fan.followers_count, fan.following_count], [0, 1])
  assert.deepEqual([idol.followers_count, idol.following_count], [1, 0])
  await forge.person('left')
})

test('a user who owns repositories or belongs to an organization cannot be deleted', async () => {
  const owner = await forge.person('owner')
  await transact(forge.ctx, (ctx) => count(ctx.db, owner.id, 'repositories', 1))
  await assert.rejects(remove('owner'), isInvalid)
  const member = await forge.person('member')
  await forge.db.insertInto('membership').values({ organization_id: guild.id, user_id: member.id }).execute()
  await assert.rejects(remove('member'), isInvalid)
  for (const name of ['owner', 'member'])
    assert.equal((await forge.call('root', 'GET', `/users/${name}`)).status, 200)
})

test('an administrator can delete neither themselves nor an organization', async () => {
  await assert.rejects(remove('root'), isInvalid)
  await assert.rejects(remove('guild'), isInvalid)
})

test('a user who is followed while being deleted leaves no rows or counts behind', async () => {
  const fans = ['fan-1', 'fan-2', 'fan-3', 'fan-4']
  for (const name of fans) await forge.person(name)
  for (let round = 0; round < 5; round++) {
    await forge.person(`comet-${round}`)
    await forge.call('fan-1', 'PUT', `/user/following/comet-${round}`)
    const replies = await Promise.all([
      ...fans.map((name) => forge.call(name, 'PUT', `/user/following/comet-${round}`)),
      remove(`comet-${round}`),
    ])
    for (const reply of replies) if (reply) assert([204, 404].includes(reply.status), String(reply.status))
    for (const name of fans)
      assert.equal((await forge.call(name, 'GET', '/user')).body.following_count, 0, name)
  }
})
