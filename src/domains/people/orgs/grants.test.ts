/** Queries of other slices about teams and owners, on a real database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { actorOf, findAccount } from '#domains/people/users'
import { transact } from '#platform/context'
import { startForge } from '#testing'
import { isOrgOwner, mayCreateRepository, ownsAsLast } from './grants.ts'
import { leaveOrganizations } from './members/members.ts'
import { deleteOrganization } from './organizations/edit-org.ts'
import { findTeamByName, findTeamsOf, listTeamsWithAll } from './teams/team-store.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const [ann, bob, cid, root] = [
  await forge.person('ann'),
  await forge.person('bob'),
  await forge.person('cid'),
  await forge.person('root', { is_admin: true }),
]
const guild = (await forge.call('ann', 'POST', '/orgs', { username: 'guild' })).body.id
const shared = (await forge.call('ann', 'POST', '/orgs', { username: 'shared' })).body.id
const smiths = await team('guild', { name: 'Smiths', units_map: { 'repo.code': 'write' } }, 'bob')
await team('guild', { name: 'makers', can_create_org_repo: true }, 'cid')
const chiefs = await team(
  'guild',
  { name: 'chiefs', permission: 'admin', includes_all_repositories: true },
  'bob',
)
const sharedOwners = (await forge.call('ann', 'GET', '/orgs/shared/teams')).body[0].id
await forge.call('ann', 'PUT', `/teams/${sharedOwners}/members/bob`)

test('findTeamsOf returns the levels and units of a user’s teams', async () => {
  const grantsTo = async (userId: number) =>
    (await findTeamsOf(forge.db, guild, userId)).map(({ id, level, units }) => ({ id, level, units }))
  assert.deepEqual(await grantsTo(bob.id), [
    { id: smiths, level: 'none', units: { code: 'write' } },
    { id: chiefs, level: 'admin', units: {} },
  ])
  const [owners] = await grantsTo(ann.id)
  assert.equal(owners?.level, 'owner')
  assert.equal(owners?.units.ext_wiki, 'read')
})

test('teams are found by name, by member, and by having all repositories', async () => {
  const names = (teams: { name: string }[]) => teams.map((it) => it.name)
  assert.equal((await findTeamByName(forge.db, guild, 'SMITHS'))?.id, smiths)
  assert.equal(await findTeamByName(forge.db, shared, 'smiths'), undefined)
  assert.deepEqual(names(await findTeamsOf(forge.db, guild, bob.id)), ['Smiths', 'chiefs'])
  assert.deepEqual(names(await listTeamsWithAll(forge.db, guild)), ['Owners', 'chiefs'])
})

test('owners, members of creating teams and site administrators may create repositories; others may not', async () => {
  const may = (account: typeof ann | null) => {
    const actor = account && actorOf(account, { publicOnly: false, via: 'token', tokenId: null })
    return mayCreateRepository({ ...forge.ctx, actor }, { id: guild })
  }
  assert.deepEqual(await Promise.all([ann, cid, root, bob, null].map(may)), [true, true, true, false, false])
  assert.equal(await isOrgOwner(forge.db, guild, ann.id), true)
  assert.equal(await isOrgOwner(forge.db, guild, bob.id), false, 'a team of administrators owns nothing')
  assert.equal(await isOrgOwner(forge.db, guild, root.id), false)
})

test('purging a user deletes the organizations that only they own, and removes them from the others', async () => {
  const names = async (id: number) => (await ownsAsLast(forge.db, id)).map((org) => org.login)
  assert.deepEqual(await names(ann.id), ['guild'])
  assert.deepEqual(await names(bob.id), [])
  await assert.rejects(
    transact(forge.ctx, (ctx) => leaveOrganizations(ctx, ann)),
    { kind: 'invalid' },
  )
  assert.deepEqual((await findAccount(forge.db, 'shared'))?.members, 2, 'nothing was left behind half done')
  await transact(forge.ctx, async (ctx) => {
    for (const org of await ownsAsLast(ctx.db, ann.id)) await deleteOrganization(ctx, org)
    await leaveOrganizations(ctx, ann)
  })
  assert.equal(await findAccount(forge.db, 'guild'), undefined)
  assert.equal((await findAccount(forge.db, 'shared'))?.members, 1)
  assert.deepEqual(await names(bob.id), ['shared'])
})

async function team(org: string, body: object, login: string): Promise<number> {
  const { id } = (await forge.call('ann', 'POST', `/orgs/${org}/teams`, body)).body
  assert.equal((await forge.call('ann', 'PUT', `/teams/${id}/members/${login}`)).status, 204)
  return id
}
