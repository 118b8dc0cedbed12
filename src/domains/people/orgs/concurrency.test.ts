/** Invariants of organizations under concurrent requests. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const ROUNDS = 20
const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
for (const name of ['ann', 'bob', 'cid']) await forge.person(name)
await forge.person('root', { is_admin: true })

for (const { how, leave } of [
  { how: 'the organization', leave: (name: string) => `/orgs/guild/members/${name}` },
  { how: 'the team of the owners', leave: (name: string) => `/teams/OWNERS/members/${name}` },
])
  test(`of two owners who leave ${how} concurrently one stays`, async () => {
    await forge.call('root', 'DELETE', '/orgs/guild')
    await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
    const [{ id }] = (await forge.call('ann', 'GET', '/orgs/guild/teams')).body
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ['ann', 'bob'])
        assert.equal((await forge.call('root', 'PUT', `/teams/${id}/members/${name}`)).status, 204)
      const statuses = await Promise.all(
        ['ann', 'bob'].map(
          async (name) => (await forge.call('root', 'DELETE', leave(name).replace('OWNERS', id))).status,
        ),
      )
      assert.ok(
        statuses.every((status) => status === 204 || status === 422),
        String(statuses),
      )
      const { body } = await forge.call('root', 'GET', `/teams/${id}/members`)
      assert.ok(body.length >= 1, `round ${round}: nobody owns the organization`)
      refused += statuses.filter((status) => status === 422).length
      await assertCounted('guild')
    }
    assert.equal(refused, ROUNDS, 'one of the two was told each time that they are the last')
  })

test('a user who is added and blocked concurrently is either a member or blocked', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'gate' })
  const { body: team } = await forge.call('ann', 'POST', '/orgs/gate/teams', { name: 'crew' })
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all([
      forge.call('ann', 'PUT', `/teams/${team.id}/members/cid`),
      forge.call('ann', 'PUT', '/orgs/gate/blocks/cid'),
    ])
    const isMember = (await forge.call('ann', 'GET', '/orgs/gate/members/cid')).status === 204
    const isBlocked = (await forge.call('ann', 'GET', '/orgs/gate/blocks/cid')).status === 204
    assert.notEqual(isMember, isBlocked, `round ${round}`)
    await forge.call('ann', 'DELETE', '/orgs/gate/members/cid')
    await forge.call('ann', 'DELETE', '/orgs/gate/blocks/cid')
  }
})

test('counters are right after concurrent joins, leaves and team deletions', async () => {
  await forge.call('ann', 'POST', '/orgs', { username: 'crowd' })
  for (let round = 0; round < 5; round++) {
    const ids: number[] = []
    for (const name of ['red', 'blue'])
      ids.push((await forge.call('ann', 'POST', '/orgs/crowd/teams', { name })).body.id)
    const [red, blue] = ids
    const replies = await Promise.all([
      ...['bob', 'cid', 'root'].flatMap((name) => [
        forge.call('ann', 'PUT', `/teams/${red}/members/${name}`),
        forge.call('ann', 'PUT', `/teams/${blue}/members/${name}`),
        forge.call('ann', 'DELETE', `/teams/${red}/members/${name}`),
      ]),
      forge.call('ann', 'DELETE', `/teams/${blue}`),
      forge.call('ann', 'POST', '/orgs/crowd/teams', { name: 'green' }),
      forge.call('ann', 'POST', '/orgs/crowd/teams', { name: 'Green' }),
    ])
    for (const { status } of replies) assert.ok(status < 500, String(status))
    await assertCounted('crowd')
    for (const { id, name } of (await forge.call('ann', 'GET', '/orgs/crowd/teams')).body)
      if (name !== 'Owners') await forge.call('ann', 'DELETE', `/teams/${id}`)
    await assertCounted('crowd')
  }
  assert.equal((await forge.call('ann', 'GET', '/orgs/crowd/members')).headers.get('x-total-count'), '1')
})

/** Counters and rows agree, and the members are exactly the users who are in a team. */
async function assertCounted(login: string): Promise<void> {
  const org = await forge.db
    .selectFrom('account')
    .innerJoin('account_count', 'account_count.account_id', 'account.id')
    .select(['id', 'members', 'teams'])
    .where('login_key', '=', login)
    .executeTakeFirstOrThrow()
  const teams = await forge.db.selectFrom('team').select('id').where('organization_id', '=', org.id).execute()
  const members = await forge.db
    .selectFrom('membership')
    .select('user_id')
    .where('organization_id', '=', org.id)
    .orderBy('user_id')
    .execute()
  const inTeams = await forge.db
    .selectFrom('team_member')
    .select('user_id')
    .distinct()
    .where('organization_id', '=', org.id)
    .orderBy('user_id')
    .execute()
  assert.deepEqual(members, inTeams)
  assert.deepEqual({ ...org }, { id: org.id, members: members.length, teams: teams.length })
}
