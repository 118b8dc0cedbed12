/** Teams of an organization: their permissions, members and repositories. */
import type { Stage } from '../stage.ts'

const MAP = {
  'repo.code': 'write',
  'repo.issues': 'read',
  'repo.pulls': 'write',
  'repo.releases': 'none',
  'repo.wiki': 'admin',
  'repo.actions': 'read',
}

export async function play(t: Stage): Promise<void> {
  for (const name of ['teams-ann', 'teams-bob', 'teams-cid', 'teams-eve']) await t.person(name)
  await t.stage('teams-ann', 'POST', '/orgs', { username: 'teams-org' })
  await t.stage('teams-ann', 'POST', '/orgs', { username: 'teams-other' })
  for (const name of ['one', 'two', 'three'])
    await t.stage('teams-ann', 'POST', '/orgs/teams-org/repos', { name, private: true })
  await t.stage('teams-ann', 'POST', '/orgs/teams-other/repos', { name: 'elsewhere' })
  const root = '/orgs/teams-org/teams'
  // The order of the deprecated list of units is undefined.
  const make = (step: string, body: unknown, as: string | null = 'teams-ann', expectation: object = {}) =>
    t.call(`make: ${step}`, as, 'POST', root, { body }, { unordered: true, ...expectation })
  await make('nobody', { name: 'x', units: ['repo.code'] }, null)
  await make('a stranger', { name: 'x', units: ['repo.code'] }, 'teams-eve')
  await t.call('make: no body', 'teams-ann', 'POST', root)
  await make('no name', { units: ['repo.code'] })
  await make('a name with spaces', { name: 'not a name', units: ['repo.code'] })
  await make('a name that is too long', { name: 'n'.repeat(256), units: ['repo.code'] })
  await make('an unknown right is none', { name: 'kings', permission: 'king', units: ['repo.code'] })
  await make('the right of an owner', { name: 'lords', permission: 'owner', units: ['repo.code'] })
  await make('no units', { name: 'bare', permission: 'write' })
  const smiths = await make('old units', {
    name: 'smiths',
    permission: 'write',
    units: ['repo.code', 'repo.issues'],
  })
  const map = await make('units with their rights', {
    name: 'mapped',
    description: 'By map',
    units_map: MAP,
    can_create_org_repo: true,
  })
  const odd = await make(
    'an unknown unit is not refused',
    { name: 'odd', units_map: { 'repo.code': 'read', 'repo.kitchen': 'write' } },
    'teams-ann',
    { ignore: ['units', 'units_map'] },
  )
  await t.stage('teams-ann', 'DELETE', `/teams/${odd.body.id}`)
  await make('an unknown level is none', { name: 'odder', units_map: { 'repo.code': 'sometimes' } })
  const chiefs = await make('administrators of every repository', {
    name: 'chiefs',
    permission: 'admin',
    includes_all_repositories: true,
  })
  await make('the same name', { name: 'smiths', units: ['repo.code'] })
  await make('the same name in capitals', { name: 'SMITHS', units: ['repo.code'] })
  await make('the name of the owners', { name: 'Owners', units: ['repo.code'] })
  await make('a visibility', { name: 'seen', units: ['repo.code'], visibility: 'limited' })
  await make('an unknown visibility', { name: 'ghosts', units: ['repo.code'], visibility: 'ghostly' })

  const list = (step: string, as: string | null, query = '') =>
    t.call(`list: ${step}`, as, 'GET', `${root}${query}`, {}, { ignore: ['units'] })
  await list('owner', 'teams-ann')
  await list('stranger', 'teams-eve')
  await list('nobody', null)
  await list('page 1', 'teams-ann', '?limit=2')
  await list('page 2', 'teams-ann', '?limit=2&page=2')
  const search = (step: string, query: string, as: string | null = 'teams-ann') =>
    t.call(`search: ${step}`, as, 'GET', `${root}/search${query}`, {}, { ignore: ['units'] })
  await search('all', '')
  await search('a word', '?q=smi')
  await search('a word of the description', '?q=by+map')
  await search('a word, not in descriptions', '?q=by+map&include_desc=false')
  await search('nothing', '?q=nothing')
  await search('page', '?limit=2&page=2')
  await search('a stranger', '?q=smi', 'teams-eve')
  await search('nobody', '?q=smi', null)

  const team = `/teams/${smiths.body.id}`
  const see = (step: string, as: string | null, path = team) =>
    t.call(`see: ${step}`, as, 'GET', path, {}, { unordered: true })
  await see('owner', 'teams-ann')
  await see('the administrator', 'admin')
  await see('stranger', 'teams-eve')
  await see('nobody', null)
  await see('missing', 'teams-ann', '/teams/99999999')
  const edit = (step: string, body: unknown, as: string | null = 'teams-ann', path = team) =>
    t.call(`edit: ${step}`, as, 'PATCH', path, { body }, { unordered: true })
  await edit('nobody', { name: 'x' }, null)
  await edit('stranger', { name: 'x' }, 'teams-eve')
  await edit('missing', { name: 'x' }, 'teams-ann', '/teams/99999999')
  await edit('name and description', { name: 'hammers', description: 'They hammer' })
  await edit('description only', { description: 'They still hammer' })
  await edit('rights by map', { name: 'hammers', units_map: { 'repo.code': 'read', 'repo.issues': 'write' } })
  await edit('right and units', { name: 'hammers', permission: 'read', units: ['repo.wiki'] })
  await edit('flags', { name: 'hammers', can_create_org_repo: true, includes_all_repositories: false })
  await edit('visibility', { name: 'hammers', visibility: 'public' })
  await edit('an unknown right', { name: 'hammers', permission: 'king' })
  await edit('a name that is none', { name: 'not a name' })
  const owners = (await t.stage('teams-ann', 'GET', `${root}/search?q=owners`)).body.data[0].id
  await edit(
    'the description of the owners',
    { name: 'Owners', description: 'They own' },
    'teams-ann',
    `/teams/${owners}`,
  )

  const member = (step: string, method: string, name: string, as: string | null, path = team) =>
    t.call(`members: ${step}`, as, method, `${path}/members/${name}`)
  await member('nobody adds', 'PUT', 'teams-bob', null)
  await member('a stranger adds herself', 'PUT', 'teams-eve', 'teams-eve')
  await member('bob is added', 'PUT', 'teams-bob', 'teams-ann')
  await member('bob is added again', 'PUT', 'teams-bob', 'teams-ann')
  await member('an unknown user is added', 'PUT', 'teams-none', 'teams-ann')
  await member('cid is added', 'PUT', 'teams-cid', 'teams-ann')
  await member('one member', 'GET', 'teams-bob', 'teams-ann')
  await member('one who is none', 'GET', 'teams-eve', 'teams-ann')
  await member('one member, asked by a stranger', 'GET', 'teams-bob', 'teams-eve')
  await t.call('members: all', 'teams-bob', 'GET', `${team}/members`, {}, { unordered: true })
  await t.call(
    'members: page',
    'teams-bob',
    'GET',
    `${team}/members?limit=1&page=2`,
    {},
    { statusOnly: true },
  )
  await t.call('members: a stranger', 'teams-eve', 'GET', `${team}/members`)
  await t.call('members: nobody', null, 'GET', `${team}/members`)
  await see('a member', 'teams-bob')
  await list('a member', 'teams-bob')
  await t.call('teams of a member', 'teams-bob', 'GET', '/user/teams', {}, { ignore: ['units'] })

  const repo = (step: string, method: string, path: string, as: string | null = 'teams-ann') =>
    t.call(`repos: ${step}`, as, method, `${team}/repos/${path}`)
  await repo('nobody adds', 'PUT', 'teams-org/one', null)
  await repo('a member may not add', 'PUT', 'teams-org/one', 'teams-bob')
  await t.call('repos: bob does not see the repository yet', 'teams-bob', 'GET', '/repos/teams-org/one')
  await repo('added', 'PUT', 'teams-org/one')
  await repo('added again', 'PUT', 'teams-org/one')
  await repo('added, the second', 'PUT', 'teams-org/two')
  await repo('one of another organization', 'PUT', 'teams-other/elsewhere')
  await repo('a missing one', 'PUT', 'teams-org/none')
  await repo('one', 'GET', 'teams-org/one')
  await repo('one that is not theirs', 'GET', 'teams-org/three')
  await repo('one, asked by a stranger', 'GET', 'teams-org/one', 'teams-eve')
  await t.call('repos: all', 'teams-bob', 'GET', `${team}/repos`, {}, { unordered: true })
  await t.call('repos: page 2', 'teams-ann', 'GET', `${team}/repos?limit=1&page=2`, {}, { statusOnly: true })
  await t.call(
    'repos: of the chiefs, all of them',
    'teams-ann',
    'GET',
    `/teams/${chiefs.body.id}/repos?limit=1`,
    {},
    { statusOnly: true },
  )
  await t.call('repos: bob sees the repository now', 'teams-bob', 'GET', '/repos/teams-org/one')
  await t.call(
    'teams of a repository',
    'teams-ann',
    'GET',
    '/repos/teams-org/one/teams',
    {},
    { ignore: ['units'] },
  )
  await t.call(
    'a team of a repository',
    'teams-ann',
    'GET',
    '/repos/teams-org/one/teams/hammers',
    {},
    { unordered: true },
  )
  await t.call(
    'a team that has not the repository',
    'teams-ann',
    'GET',
    '/repos/teams-org/three/teams/hammers',
  )
  await repo('a member may not take', 'DELETE', 'teams-org/one', 'teams-bob')
  await repo('taken', 'DELETE', 'teams-org/one')
  await repo('taken twice', 'DELETE', 'teams-org/one')

  await member('bob is removed', 'DELETE', 'teams-bob', 'teams-ann')
  await member('bob is removed again', 'DELETE', 'teams-bob', 'teams-ann')
  await t.call(
    'members: the last owner cannot leave the owners',
    'teams-ann',
    'DELETE',
    `/teams/${owners}/members/teams-ann`,
    {},
    { decision: 'D13', status: 422 },
  )
  const remove = (step: string, id: number, as: string | null, decided: object = {}) =>
    t.call(`delete: ${step}`, as, 'DELETE', `/teams/${id}`, {}, decided)
  await remove('nobody', map.body.id, null)
  await remove('stranger', map.body.id, 'teams-eve')
  await remove('owner', map.body.id, 'teams-ann')
  await remove('twice', map.body.id, 'teams-ann')
}
