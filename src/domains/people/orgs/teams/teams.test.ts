/** Teams over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { actorOf } from '#domains/people/users'
import { handler, handlersBySubject } from '#events/handler'
import { startForge } from '#testing'
import { openOwnedOrg } from '../organizations/open-org.ts'
import { openOwnedTeam } from './open-team.ts'
import { createTeam, editTeam } from './teams.ts'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const ann = await forge.person('ann')
for (const name of ['bob', 'cid', 'eve']) await forge.person(name)
await forge.person('root', { is_admin: true })
await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
await forge.call('ann', 'POST', '/orgs', { username: 'other' })
const owners = (await forge.call('ann', 'GET', '/orgs/guild/teams')).body[0]
let number = 0

for (const { what, body, permission, units_map } of [
  { what: 'nothing', body: {}, permission: 'none', units_map: null },
  { what: 'a level alone', body: { permission: 'write' }, permission: 'write', units_map: null },
  {
    what: 'a level and units',
    body: { permission: 'write', units: ['repo.code', 'repo.issues'] },
    permission: 'none',
    units_map: { 'repo.code': 'write', 'repo.issues': 'write' },
  },
  {
    what: 'units and no level',
    body: { units: ['repo.code'] },
    permission: 'none',
    units_map: { 'repo.code': 'none' },
  },
  {
    what: 'a map, which outweighs units',
    body: { permission: 'read', units: ['repo.wiki'], units_map: { 'repo.code': 'admin' } },
    permission: 'none',
    units_map: { 'repo.code': 'admin' },
  },
  {
    what: 'units and levels nobody knows',
    body: { units_map: { 'repo.code': 'sometimes', 'repo.kitchen': 'write', __proto__: 'admin' } },
    permission: 'none',
    units_map: { 'repo.code': 'none' },
  },
  {
    what: 'the level of administrators',
    body: { permission: 'admin', units_map: { 'repo.code': 'read' } },
    permission: 'admin',
    units_map: null,
  },
  {
    what: 'the level of owners, which nobody is given',
    body: { permission: 'owner', units: ['repo.code'] },
    permission: 'none',
    units_map: { 'repo.code': 'none' },
  },
])
  test(`a team is created with ${what}`, async () => {
    const made = await make(body)
    assert.equal(made.status, 201)
    const facts = { permission: made.body.permission, units_map: made.body.units_map }
    assert.deepEqual(facts, { permission, units_map })
    assert.deepEqual(made.body.units, Object.keys(units_map ?? {}))
    assert.equal(made.body.visibility, 'private')
    assert.equal(made.body.organization.name, 'guild')
    const { body: read } = await forge.call('ann', 'GET', `/teams/${made.body.id}`)
    assert.deepEqual(read, made.body)
  })

for (const { what, edit, status = 200, after = {} } of [
  { what: 'nothing', edit: {} },
  { what: 'an empty name and level', edit: { name: '', permission: '' } },
  { what: 'a description', edit: { description: 'They hammer' }, after: { description: 'They hammer' } },
  {
    what: 'a map',
    edit: { units_map: { 'repo.wiki': 'read' } },
    after: { units: ['repo.wiki'], units_map: { 'repo.wiki': 'read' } },
  },
  {
    what: 'a level and units',
    edit: { permission: 'read', units: ['repo.issues'] },
    after: { units: ['repo.issues'], units_map: { 'repo.issues': 'read' } },
  },
  { what: 'a level alone', edit: { permission: 'read' }, after: { permission: 'read' } },
  {
    what: 'the level of administrators',
    edit: { permission: 'admin' },
    after: { permission: 'admin', units: [], units_map: null },
  },
  {
    what: 'flags and a visibility',
    edit: { can_create_org_repo: true, includes_all_repositories: true, visibility: 'public' },
    after: { can_create_org_repo: true, includes_all_repositories: true, visibility: 'public' },
  },
  { what: 'a level that is none', edit: { description: 'x', permission: 'king' }, status: 400 },
  { what: 'the level of owners', edit: { description: 'x', permission: 'owner' }, status: 400 },
  { what: 'a name that is none', edit: { description: 'x', name: 'not a name' }, status: 422 },
  { what: 'a name that is taken', edit: { description: 'x', name: 'OWNERS' }, status: 422 },
  { what: 'an unknown visibility', edit: { description: 'x', visibility: 'ghostly' }, status: 422 },
] as const)
  test(`editing ${what}: ${status}`, async () => {
    const { body: before } = await make({ permission: 'write', units: ['repo.code'] })
    const edited = await forge.call('ann', 'PATCH', `/teams/${before.id}`, edit)
    assert.equal(edited.status, status)
    const { body: read } = await forge.call('ann', 'GET', `/teams/${before.id}`)
    assert.deepEqual(read, { ...before, ...after }, 'all of it or nothing')
    if (status === 200) assert.deepEqual(edited.body, { ...read, organization: null })
  })

test('team names are unique in their organization, ignoring case', async () => {
  const { body } = await make({ name: 'Smiths' })
  for (const name of ['Smiths', 'SMITHS', 'owners']) assert.equal((await make({ name })).status, 422, name)
  for (const name of ['not a name', 'n'.repeat(256), '', undefined])
    assert.equal((await forge.call('ann', 'POST', '/orgs/guild/teams', { name })).status, 422, String(name))
  assert.equal((await forge.call('ann', 'POST', '/orgs/other/teams', { name: 'Smiths' })).status, 201)
  assert.equal((await forge.call('ann', 'PATCH', `/teams/${body.id}`, { name: 'smiths' })).status, 200)
  assert.equal((await forge.call('ann', 'GET', `/teams/${body.id}`)).body.name, 'smiths')
})

test('rights of the owners’ team cannot be changed, its description can', async () => {
  const edit = (body: object) => forge.call('ann', 'PATCH', `/teams/${owners.id}`, body)
  const changed = await edit({
    name: 'Owners',
    description: 'They own',
    permission: 'read',
    units_map: { 'repo.code': 'read' },
    includes_all_repositories: false,
    can_create_org_repo: false,
  })
  assert.equal(changed.status, 200)
  assert.deepEqual(changed.body, { ...owners, description: 'They own' })
  assert.equal((await edit({ name: 'Lords' })).status, 422)
  assert.equal((await forge.call('ann', 'DELETE', `/teams/${owners.id}`)).status, 422)
})

test('members of a deleted team who are in no other team leave the organization', async () => {
  const going = (await make({})).body.id
  const staying = (await make({})).body.id
  for (const [id, name] of [
    [going, 'bob'],
    [going, 'cid'],
    [staying, 'cid'],
  ])
    await forge.call('ann', 'PUT', `/teams/${id}/members/${name}`)
  const before = await counts()
  assert.equal((await forge.call('ann', 'DELETE', `/teams/${going}`)).status, 204)
  assert.equal((await forge.call('ann', 'DELETE', `/teams/${going}`)).status, 404)
  assert.equal((await forge.call('ann', 'GET', '/orgs/guild/members/bob')).status, 404)
  assert.equal((await forge.call('ann', 'GET', '/orgs/guild/members/cid')).status, 204)
  assert.deepEqual(await counts(), { members: before.members - 1, teams: before.teams - 1 })
})

test('only owners and site administrators can change teams', async () => {
  const { id } = (await make({ visibility: 'public' })).body
  await forge.call('ann', 'PUT', `/teams/${id}/members/bob`)
  for (const [method, path, body] of [
    ['POST', '/orgs/guild/teams', { name: 'x', permission: 'king' }],
    ['PATCH', `/teams/${id}`, { name: 'not a name' }],
    ['PUT', `/teams/${id}/members/eve`, undefined],
    ['DELETE', `/teams/${id}/members/bob`, undefined],
    ['DELETE', `/teams/${id}`, undefined],
  ] as const) {
    assert.equal((await forge.call(null, method, path, body)).status, 401, `${method} ${path}`)
    assert.equal((await forge.call('eve', method, path, body)).status, 403, `${method} ${path}`)
    assert.equal((await forge.call('bob', method, path, body)).status, 403, `${method} ${path}`)
  }
  for (const missing of ['99999999', '0', 'none']) {
    assert.equal((await forge.call('ann', 'GET', `/teams/${missing}`)).status, 404)
    assert.equal((await forge.call('ann', 'PATCH', `/teams/${missing}`, {})).status, 404)
    assert.equal((await forge.call('ann', 'DELETE', `/teams/${missing}`)).status, 404)
  }
  assert.equal((await forge.call('ann', 'PUT', `/teams/${id}/members/other`)).status, 422)
  assert.equal((await forge.call('ann', 'PUT', `/teams/${id}/members/nobody`)).status, 404)
  assert.equal((await forge.call('root', 'DELETE', `/teams/${id}`)).status, 204)
})

test('teams are searched by a part of name or description, without wildcards', async () => {
  await make({ name: 'anvil_50', description: '100% Iron' })
  const names = async (query: string) =>
    (await forge.call('ann', 'GET', `/orgs/guild/teams/search?${query}`)).body.data.map(
      (team: { name: string }) => team.name,
    )
  assert.deepEqual(await names('q=NVIL'), ['anvil_50'])
  assert.deepEqual(await names('q=iron'), ['anvil_50'])
  assert.deepEqual(await names('q=iron&include_desc=false'), [])
  assert.deepEqual(await names('q=0%25'), ['anvil_50'])
  assert.deepEqual(await names('q=%25nvil'), [])
  assert.deepEqual(await names('q=nvil%5F'), ['anvil_50'])
  assert.deepEqual(await names('q=nvil50&limit=1'), [])
})

test('team.includes_all is emitted once, on creation or when the setting is turned on', async () => {
  const given: number[] = []
  const giving = handler('team.includes_all', async (_, { team_id }) => void given.push(team_id))
  const actor = actorOf(ann, { publicOnly: false, via: 'process', tokenId: null })
  const ctx = { ...forge.ctx, actor, handlers: handlersBySubject([giving]) }
  const org = await openOwnedOrg(ctx, 'guild')
  const all = await createTeam(ctx, org, { name: 'all', includes_all_repositories: true })
  assert.deepEqual(given, [all.id])
  const later = await createTeam(ctx, org, { name: 'later' })
  const edit = async (body: object) => editTeam(ctx, await openOwnedTeam(ctx, later.id), body)
  await edit({ description: 'not yet' })
  assert.deepEqual(given, [all.id])
  for (let i = 0; i < 2; i++) await edit({ includes_all_repositories: true })
  assert.deepEqual(given, [all.id, later.id])
})

function make(body: object) {
  number += 1
  return forge.call('ann', 'POST', '/orgs/guild/teams', { name: `team-${number}`, ...body })
}

/** The counters, after comparing them with the rows. */
async function counts() {
  const { id, members, teams } = await forge.db
    .selectFrom('account')
    .innerJoin('account_count', 'account_count.account_id', 'account.id')
    .select(['id', 'members', 'teams'])
    .where('login_key', '=', 'guild')
    .executeTakeFirstOrThrow()
  const rows = async (table: 'team' | 'membership') =>
    (await forge.db.selectFrom(table).select('organization_id').where('organization_id', '=', id).execute())
      .length
  assert.deepEqual({ members, teams }, { members: await rows('membership'), teams: await rows('team') })
  return { members, teams }
}
