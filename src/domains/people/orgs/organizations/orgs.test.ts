/** Organizations over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

for (const name of ['ann', 'bob', 'eve']) await forge.person(name)
await forge.person('root', { is_admin: true })
await forge.person('rex', { is_restricted: true })
await forge.person('ned', { may_create_organization: false })
await forge.person('boss', { is_admin: true, may_create_organization: false })
await forge.person('cam', {}, ['public-only', 'write:organization', 'write:user'])

const VISIBILITIES = ['public', 'limited', 'private'] as const
for (const visibility of VISIBILITIES) {
  await found('ann', `${visibility}-guild`, { visibility })
  await join('ann', `${visibility}-guild`, 'bob', 'rex', 'cam')
}

test('a new organization has an owners’ team with its creator as a concealed member', async () => {
  const made = await forge.call('ann', 'POST', '/orgs', { username: 'Forge-Hall', full_name: 'Hall' })
  assert.equal(made.status, 201)
  assert.equal(made.body.name, 'Forge-Hall')
  assert.equal(made.body.visibility, 'public')
  const { members, teams } = await counts('forge-hall')
  assert.deepEqual({ members, teams }, { members: 1, teams: 1 })
  const { body } = await forge.call('ann', 'GET', '/orgs/forge-hall/teams')
  assert.equal(body.length, 1)
  const { id: _, units: __, ...owners } = body[0]
  assert.deepEqual(owners, {
    name: 'Owners',
    description: '',
    organization: null,
    includes_all_repositories: true,
    permission: 'owner',
    units_map: {
      'repo.code': 'owner',
      'repo.issues': 'owner',
      'repo.pulls': 'owner',
      'repo.releases': 'owner',
      'repo.wiki': 'owner',
      'repo.projects': 'owner',
      'repo.packages': 'owner',
      'repo.actions': 'owner',
      'repo.ext_issues': 'read',
      'repo.ext_wiki': 'read',
    },
    can_create_org_repo: true,
    visibility: 'limited',
  })
  assert.deepEqual((await forge.call('eve', 'GET', '/orgs/forge-hall/public_members')).body, [])
})

for (const { as, status } of [
  { as: null, status: 401 },
  { as: 'ned', status: 403 },
  { as: 'boss', status: 201 },
  { as: 'eve', status: 201 },
])
  test(`creating an organization as ${as ?? 'anonymous'} gets ${status}`, async () => {
    const made = await forge.call(as, 'POST', '/orgs', { username: `by-${as}` })
    assert.equal(made.status, status)
  })

for (const { what, body } of [
  { what: 'nothing', body: {} },
  { what: 'a name with spaces', body: { username: 'not a name' } },
  { what: 'a name that is too long', body: { username: 'n'.repeat(41) } },
  { what: 'a reserved name', body: { username: 'explore' } },
  { what: 'the name of a user', body: { username: 'BOB' } },
  { what: 'the name of an organization', body: { username: 'Public-Guild' } },
  { what: 'an unknown visibility', body: { username: 'fresh', visibility: 'ghostly' } },
  { what: 'a website that is none', body: { username: 'fresh', website: 'no url' } },
  { what: 'a description without end', body: { username: 'fresh', description: 'x'.repeat(2049) } },
])
  test(`creating an organization with ${what} is refused with 422`, async () => {
    assert.equal((await forge.call('ann', 'POST', '/orgs', body)).status, 422)
  })

/** Statuses in the order of VISIBILITIES. */
for (const { as, statuses } of [
  { as: null, statuses: [200, 404, 404] },
  { as: 'eve', statuses: [200, 200, 404] },
  { as: 'bob', statuses: [200, 200, 200] },
  { as: 'rex', statuses: [200, 200, 200] },
  { as: 'ann', statuses: [200, 200, 200] },
  { as: 'root', statuses: [200, 200, 200] },
  { as: 'cam', statuses: [200, 403, 403] },
])
  test(`${as ?? 'anonymous'} gets ${statuses} for public, limited and private organizations`, async () => {
    for (const [i, visibility] of VISIBILITIES.entries()) {
      const { status } = await forge.call(as, 'GET', `/orgs/${visibility}-guild`)
      assert.equal(status, statuses[i], visibility)
    }
  })

test('a restricted non-member sees public organizations only', async () => {
  await forge.person('rob', { is_restricted: true })
  assert.equal((await forge.call('rob', 'GET', '/orgs/public-guild')).status, 200)
  assert.equal((await forge.call('rob', 'GET', '/orgs/limited-guild')).status, 404)
})

test('the list of organizations has those that the caller may see, with their total', async () => {
  const guilds = async (as: string | null, path = '/orgs?limit=50') => {
    const { body, headers } = await forge.call(as, 'GET', path)
    assert.equal(headers.get('x-total-count'), String(body.length))
    return body.map((org: { name: string }) => org.name).filter((it: string) => it.endsWith('-guild'))
  }
  assert.deepEqual(await guilds(null), ['public-guild'])
  assert.deepEqual(await guilds('eve'), ['limited-guild', 'public-guild'])
  assert.deepEqual(await guilds('bob'), ['limited-guild', 'private-guild', 'public-guild'])
  assert.deepEqual(await guilds('cam'), ['public-guild'])
  assert.deepEqual(await guilds('root', '/admin/orgs?limit=50'), [
    'limited-guild',
    'private-guild',
    'public-guild',
  ])
  assert.equal((await forge.call('ann', 'GET', '/admin/orgs')).status, 403)
  assert.equal((await forge.call(null, 'GET', '/admin/orgs')).status, 401)
})

test('a user sees all of their own organizations, others only public memberships in visible ones', async () => {
  for (const visibility of VISIBILITIES)
    await forge.call('bob', 'PUT', `/orgs/${visibility}-guild/public_members/bob`)
  const seen = async (as: string, path = '/users/bob/orgs') =>
    (await forge.call(as, 'GET', path)).body.map((org: { visibility: string }) => org.visibility)
  assert.deepEqual(await seen('bob', '/user/orgs'), ['limited', 'private', 'public'])
  assert.deepEqual(await seen('bob'), ['limited', 'private', 'public'])
  assert.deepEqual(await seen('root'), ['limited', 'private', 'public'])
  assert.deepEqual(await seen('eve'), ['limited', 'public'])
  assert.deepEqual(await seen('ann'), ['limited', 'private', 'public'])
  assert.deepEqual(await seen('eve', '/users/ann/orgs'), [], 'a membership that is not shown is hidden')
  assert.deepEqual(await seen('cam', '/user/orgs'), [], 'the token is for public things')
  assert.equal((await forge.call(null, 'GET', '/users/bob/orgs')).status, 401)
  assert.equal((await forge.call(null, 'GET', '/user/orgs')).status, 401)
  assert.equal((await forge.call('bob', 'GET', '/users/nobody/orgs')).status, 404)
})

for (const [method, path, body] of [
  ['PATCH', '', { full_name: 'x' }],
  ['DELETE', '', undefined],
  ['POST', '/rename', { new_name: 'fresh' }],
  ['GET', '/blocks', undefined],
] as const)
  test(`${method} /orgs/…${path} is refused for all but owners`, async () => {
    const ask = async (as: string | null, name: string) =>
      (await forge.call(as, method, `/orgs/${name}${path}`, body)).status
    assert.equal(await ask(null, 'nothing'), 404)
    assert.equal(await ask(null, 'public-guild'), 401)
    assert.equal(await ask('eve', 'public-guild'), 403)
    assert.equal(await ask('bob', 'private-guild'), 403)
    assert.equal(await ask('eve', 'private-guild'), 404, 'what one cannot see is not there')
    assert.equal(await ask('eve', 'bob'), 404, 'a user is no organization')
  })

test('an edit changes the given fields, all or none', async () => {
  await found('ann', 'changing')
  const before = await forge.call('ann', 'PATCH', '/orgs/changing', {
    full_name: 'Full',
    email: 'hall@example.test',
    description: 'Smiths',
    website: 'https://hall.example.test',
    location: 'Hill',
    visibility: 'limited',
    repo_admin_change_team_access: true,
  })
  assert.equal(before.status, 200)
  for (const bad of [{ email: 'x' }, { visibility: 'ghostly' }, { website: 'no url' }]) {
    const { status } = await forge.call('ann', 'PATCH', '/orgs/changing', { location: 'Sea', ...bad })
    assert.equal(status, 422)
  }
  assert.deepEqual((await forge.call('ann', 'GET', '/orgs/changing')).body, before.body)
  const after = await forge.call('root', 'PATCH', '/orgs/changing', { location: 'Valley', email: '' })
  assert.deepEqual(after.body, { ...before.body, location: 'Valley', email: '' })
})

test('the old name of an organization redirects for callers who may see it', async () => {
  await found('ann', 'old-name')
  await found('ann', 'old-secret', { visibility: 'private' })
  assert.equal((await rename('old-name', 'New-Name')).status, 204)
  const led = await forge.call('eve', 'GET', '/orgs/old-name/public_members?limit=3')
  assert.equal(led.status, 302)
  assert.equal(led.headers.get('location'), '/api/v1/orgs/New-Name/public_members?limit=3')
  assert.equal((await rename('new-name', 'NEW-NAME')).status, 204, 'other capitals are no other name')
  assert.equal((await forge.call('eve', 'GET', '/orgs/new-name')).body.name, 'NEW-NAME')

  await rename('old-secret', 'new-secret')
  assert.equal((await forge.call('ann', 'GET', '/orgs/old-secret')).status, 302)
  assert.equal((await forge.call('eve', 'GET', '/orgs/old-secret')).status, 404)

  await found('ann', 'old-name')
  assert.equal((await forge.call('eve', 'GET', '/orgs/old-name')).status, 200, 'the name is in use again')
})

test('renaming an organization to a taken or invalid name is refused with 422', async () => {
  await found('ann', 'staying')
  for (const name of ['bob', 'public-guild', 'explore', 'not a name', '', undefined])
    assert.equal((await rename('staying', name)).status, 422, String(name))
  assert.equal((await forge.call('ann', 'GET', '/orgs/staying')).status, 200)
})

test('of concurrent requests for one name one succeeds, the others are refused', async () => {
  await found('ann', 'racer-1')
  await found('ann', 'racer-2')
  const replies = await Promise.all([
    rename('racer-1', 'prize'),
    rename('racer-2', 'prize'),
    forge.call('ann', 'POST', '/orgs', { username: 'prize' }),
    forge.call('eve', 'POST', '/orgs', { username: 'Prize' }),
  ])
  const statuses = replies.map((reply) => reply.status)
  assert.equal(statuses.filter((status) => status < 300).length, 1, String(statuses))
  assert.equal(statuses.filter((status) => status === 422).length, 3, String(statuses))
})

test('an organization with repositories cannot be deleted; an empty one is deleted with its teams', async () => {
  await found('ann', 'leaving')
  await join('ann', 'leaving', 'bob')
  await forge.call('eve', 'PUT', '/user/following/leaving')
  const { id } = await counts('leaving')
  await forge.db.updateTable('account_count').set({ repositories: 1 }).where('account_id', '=', id).execute()
  assert.equal((await forge.call('ann', 'DELETE', '/orgs/leaving')).status, 422)
  await forge.db.updateTable('account_count').set({ repositories: 0 }).where('account_id', '=', id).execute()
  const { following } = await counts('eve')
  assert.equal((await forge.call('ann', 'DELETE', '/orgs/leaving')).status, 204)
  assert.equal((await forge.call('ann', 'DELETE', '/orgs/leaving')).status, 404)
  assert.equal((await counts('eve')).following, following - 1)
  for (const table of ['team', 'team_member', 'membership'] as const) {
    const rows = await forge.db.selectFrom(table).selectAll().where('organization_id', '=', id).execute()
    assert.deepEqual(rows, [], table)
  }
})

test('an administrator creates an organization for a user, who owns it', async () => {
  const give = (as: string | null, whom: string, username: string) =>
    forge.call(as, 'POST', `/admin/users/${whom}/orgs`, { username, visibility: 'limited' })
  assert.equal((await give(null, 'eve', 'gift')).status, 401)
  assert.equal((await give('eve', 'eve', 'gift')).status, 403)
  assert.equal((await give('root', 'nobody', 'gift')).status, 404)
  assert.equal((await give('root', 'public-guild', 'gift')).status, 422)
  assert.equal((await give('root', 'ned', 'gift')).status, 403)
  assert.equal((await give('root', 'eve', 'gift')).status, 201)
  assert.equal((await give('root', 'eve', 'gift')).status, 422)
  assert.equal((await forge.call('eve', 'PATCH', '/orgs/gift', { location: 'Hill' })).status, 200)
  assert.equal((await forge.call('root', 'GET', '/orgs/gift/members/root')).status, 404)
})

test('a user’s permissions in an organization are shown to themselves and to members only', async () => {
  const permissions = (as: string | null, whom: string, org = 'public-guild') =>
    forge.call(as, 'GET', `/users/${whom}/orgs/${org}/permissions`)
  const none = { is_owner: false, is_admin: false, can_write: false, can_read: false }
  const cannot = { ...none, can_create_repository: false }
  const all = { is_owner: true, is_admin: true, can_write: true, can_read: true, can_create_repository: true }
  assert.deepEqual((await permissions('ann', 'ann')).body, all)
  assert.deepEqual((await permissions('eve', 'eve')).body, cannot)
  assert.deepEqual((await permissions('bob', 'ann')).body, all)
  assert.deepEqual((await permissions('ann', 'bob')).body, { ...cannot, can_read: true, can_write: true })
  assert.deepEqual((await permissions('root', 'root')).body, cannot, 'an administrator is in no team')
  assert.equal((await permissions('eve', 'ann')).status, 403)
  assert.equal((await permissions(null, 'ann')).status, 401)
  assert.equal((await permissions('eve', 'eve', 'private-guild')).status, 404)
  assert.equal((await permissions('eve', 'eve', 'bob')).status, 404)
})

async function found(as: string, username: string, facts: object = {}): Promise<void> {
  const { status } = await forge.call(as, 'POST', '/orgs', { username, ...facts })
  assert.equal(status, 201)
}

/** Adds the users to a team that may write code and read the wiki. */
async function join(owner: string, org: string, ...people: string[]): Promise<void> {
  const team = { name: 'Crew', units_map: { 'repo.code': 'write', 'repo.wiki': 'read' } }
  const { body } = await forge.call(owner, 'POST', `/orgs/${org}/teams`, team)
  for (const login of people) {
    const { status } = await forge.call(owner, 'PUT', `/teams/${body.id}/members/${login}`)
    assert.equal(status, 204)
  }
}

function rename(from: string, new_name: string | undefined) {
  return forge.call('ann', 'POST', `/orgs/${from}/rename`, { new_name })
}

function counts(login: string) {
  return forge.db
    .selectFrom('account')
    .innerJoin('account_count', 'account_count.account_id', 'account.id')
    .select(['id', 'members', 'teams', 'following'])
    .where('login_key', '=', login)
    .executeTakeFirstOrThrow()
}
