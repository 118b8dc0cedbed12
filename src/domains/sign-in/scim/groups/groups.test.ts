/** Groups by SCIM and the teams that follow them, with requests shaped as Entra ID and Okta send them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { ScimTestClient } from '#testing/slices/scim'

let forge: Forge
let scim: ScimTestClient
let users: Record<string, string>
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  scim = await ScimTestClient.of(forge, 'root', 'corp')
  await forge.call('root', 'POST', '/orgs', { username: 'works' })
  for (const name of ['dev', 'ops'])
    await forge.call('root', 'POST', '/orgs/works/teams', { name, permission: 'read', units: ['repo.code'] })
  await forge.call('root', 'PUT', `/admin/auths/${scim.source}/mappings`, {
    mappings: [
      { group: 'Developers', organization: 'works', team: 'dev' },
      { group: 'Operators', organization: 'works', team: 'ops' },
      { group: 'Admins', admin: true },
    ],
  })
  users = {}
  for (const name of ['ann', 'bob', 'eve']) users[name] = (await scim.user(name)).id
})
after(() => forge[Symbol.asyncDispose]())

async function membersOf(team: string): Promise<string[]> {
  const rows = await forge.db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('account', 'account.id', 'team_member.user_id')
    .select('account.login')
    .where('team.name', '=', team)
    .orderBy('account.login')
    .execute()
  return rows.map(({ login }) => login).filter((login) => login !== 'root')
}

async function group(displayName: string, ...members: string[]) {
  const { status, body } = await scim.call('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName,
    ...(members.length > 0 && { members: members.map((it) => ({ value: users[it] })) }),
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

const drop = (id: string) => scim.call('DELETE', `/Groups/${id}`)

test('Entra ID creates a group, adds members and removes them by value beside the path', async () => {
  const { id } = await group('Developers')
  const added = await scim.patch(`/Groups/${id}`, {
    op: 'Add',
    path: 'members',
    value: [{ $ref: null, value: users.ann }, { value: users.bob }],
  })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  const values = added.body.members.map((it: { value: string }) => it.value)
  assert.deepEqual(new Set(values), new Set([users.ann, users.bob]))
  assert.deepEqual(await membersOf('dev'), ['ann', 'bob'])
  await scim.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ value: users.bob }] })
  assert.deepEqual(await membersOf('dev'), ['ann'])
  assert.equal((await drop(id)).status, 204)
  assert.deepEqual(await membersOf('dev'), [])
})

test('Okta renames a group without a path and removes a member by a filter; PUT replaces the members', async () => {
  const { id } = await group('Operators', 'ann', 'bob')
  assert.deepEqual(await membersOf('ops'), ['ann', 'bob'])
  await scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${users.ann}"]` })
  assert.deepEqual(await membersOf('ops'), ['bob'])
  await scim.call('PUT', `/Groups/${id}`, { displayName: 'Operators', members: [{ value: users.eve }] })
  assert.deepEqual(await membersOf('ops'), ['eve'])
  await scim.patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: 'Developers' } })
  assert.deepEqual([await membersOf('ops'), await membersOf('dev')], [[], ['eve']])
  await drop(id)
})

test('the groups of a user are shown with it, and a list can leave members out', async () => {
  const { id } = await group('Developers', 'ann')
  const ann = await scim.call('GET', `/Users/${users.ann}`)
  assert.partialDeepStrictEqual(ann.body.groups[0], { value: id, display: 'Developers' })
  const filter = encodeURIComponent('displayName eq "developers"')
  const listed = await scim.call('GET', `/Groups?filter=${filter}&excludedAttributes=members`)
  assert.equal(listed.body.Resources[0].members, undefined)
  const byMember = await scim.call('GET', `/Groups?filter=${encodeURIComponent(`members eq "${users.ann}"`)}`)
  assert.equal(byMember.body.totalResults, 1)
  await drop(id)
})

test('a deleted user leaves the teams, and a group of administrators gives and takes the role', async () => {
  const { id } = await group('Admins', 'bob')
  const isAdmin = async () => (await forge.call('root', 'GET', '/users/bob')).body.is_admin as boolean
  assert.equal(await isAdmin(), true)
  await scim.patch(`/Users/${users.bob}`, { op: 'replace', path: 'active', value: false })
  assert.equal(await isAdmin(), false)
  await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: users.ann }] })
  assert.equal(await isAdmin(), false)
  await scim.patch(`/Users/${users.bob}`, { op: 'replace', path: 'active', value: true })
  assert.equal(await isAdmin(), true)
  await drop(id)
  assert.equal(await isAdmin(), false)
  const team = await group('Developers', 'bob', 'eve')
  await scim.call('DELETE', `/Users/${users.bob}`)
  assert.deepEqual(await membersOf('dev'), ['eve'])
  await drop(team.id)
})

test('a user without a subject joins the teams of their groups once they have one', async () => {
  const { id } = await scim.user('late', { externalId: undefined })
  const team = await group('Developers')
  await scim.patch(`/Groups/${team.id}`, { op: 'add', path: 'members', value: [{ value: id }] })
  assert.deepEqual(await membersOf('dev'), [])
  await scim.patch(`/Users/${id}`, { op: 'add', path: 'externalId', value: 'late-subject' })
  assert.deepEqual(await membersOf('dev'), ['late'])
  await drop(team.id)
})

test('a name that is taken, a member of another source and a version of before are refused', async () => {
  const { id } = await group('Developers')
  const twice = await scim.call('POST', '/Groups', { displayName: 'Developers' })
  assert.deepEqual([twice.status, twice.body.scimType], [409, 'uniqueness'])
  const other = await ScimTestClient.of(forge, 'root', 'elsewhere')
  const stranger = await other.user('stranger')
  const added = await scim.patch(`/Groups/${id}`, {
    op: 'add',
    path: 'members',
    value: [{ value: stranger.id }],
  })
  assert.deepEqual([added.status, added.body.scimType], [400, 'invalidValue'])
  assert.equal((await other.call('GET', `/Groups/${id}`)).status, 404)
  const stale = await scim.call('PUT', `/Groups/${id}`, { displayName: 'x' }, { 'if-match': 'W/"9"' })
  assert.equal(stale.status, 412)
  await drop(id)
})

test('teams of many people follow in jobs', async () => {
  const ids: string[] = []
  for (let i = 0; i < 60; i++) ids.push((await scim.user(`many${i}`)).id)
  const { body } = await scim.call('POST', '/Groups', {
    displayName: 'Developers',
    members: ids.map((value) => ({ value })),
  })
  await forge.runJobs()
  assert.equal((await membersOf('dev')).length, 60)
  await drop(body.id)
  await forge.runJobs()
  assert.equal((await membersOf('dev')).length, 0)
})

test('a list of groups costs the same statements for one as for many', async () => {
  for (let i = 0; i < 10; i++) await group(`g${i}`, 'ann', 'eve')
  const count = (path: string) => forge.countQueries(() => scim.call('GET', path))
  assert.equal(await count('/Groups?count=20'), await count('/Groups?count=1'))
})
