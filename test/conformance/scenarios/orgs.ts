/** Organizations: created, edited, listed, renamed, deleted; their members. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  for (const name of ['orgs-ann', 'orgs-bob', 'orgs-cid', 'orgs-eve']) await t.person(name)
  const make = (step: string, body: unknown, as: string | null = 'orgs-ann') =>
    t.call(step, as, 'POST', '/orgs', { body })
  await make('nobody may not make one', { username: 'orgs-x' }, null)
  await t.call('no body', 'orgs-ann', 'POST', '/orgs')
  await make('no name', {})
  await make('a name that is none', { username: 'not a name' })
  await make('a name that is too long', { username: 'a'.repeat(41) })
  await make('a reserved name', { username: 'explore' })
  await make('a name of a user', { username: 'orgs-bob' })
  await make('an unknown visibility', { username: 'orgs-x', visibility: 'ghostly' })
  await make('an e-mail address that is none is not looked at', { username: 'orgs-x', email: 'x' })
  await make('the smallest one', { username: 'orgs-small' })
  await make('every field', {
    username: 'Orgs-Full',
    full_name: 'Full Forge',
    email: 'orgs-full@example.test',
    description: 'Smiths',
    website: 'https://forge.example.test',
    location: 'Hill',
    visibility: 'limited',
    repo_admin_change_team_access: true,
  })
  await make('the same name again', { username: 'orgs-small' })
  await make('a private one', { username: 'orgs-private', visibility: 'private' })

  const see = (step: string, name: string, as: string | null = 'orgs-eve') =>
    t.call(`see: ${step}`, as, 'GET', `/orgs/${name}`)
  await see('an open one, nobody', 'orgs-small', null)
  await see('an open one, in capitals', 'ORGS-SMALL')
  await see('a limited one, nobody', 'orgs-full', null)
  await see('a limited one, a stranger', 'orgs-full')
  await see('a private one, a stranger', 'orgs-private')
  await see('a private one, its owner', 'orgs-private', 'orgs-ann')
  await see('a private one, the administrator', 'orgs-private', 'admin')
  await see('an unknown one', 'orgs-none')
  await see('a user', 'orgs-bob')

  await t.call('all organizations', 'orgs-eve', 'GET', '/orgs', {}, { statusOnly: true })
  await t.call(
    'all organizations, for the administrator',
    'admin',
    'GET',
    '/admin/orgs',
    {},
    { statusOnly: true },
  )
  await t.call('a plain user may not list organizations of all', 'orgs-eve', 'GET', '/admin/orgs')
  await t.call('own organizations', 'orgs-ann', 'GET', '/user/orgs')
  await t.call('own organizations, page 1', 'orgs-ann', 'GET', '/user/orgs?limit=2')
  await t.call('own organizations, page 2', 'orgs-ann', 'GET', '/user/orgs?limit=2&page=2')
  await t.call('organizations of ann, seen by a stranger', 'orgs-eve', 'GET', '/users/orgs-ann/orgs')
  await t.call('nobody has no organizations', null, 'GET', '/user/orgs')

  const edit = (step: string, body: unknown, as: string | null = 'orgs-ann', name = 'orgs-full') =>
    t.call(`edit: ${step}`, as, 'PATCH', `/orgs/${name}`, { body })
  await edit('nobody', { full_name: 'x' }, null)
  await edit('a stranger', { full_name: 'x' }, 'orgs-eve')
  await edit('an unknown one', { full_name: 'x' }, 'orgs-ann', 'orgs-none')
  await edit('every field', {
    full_name: 'Fuller',
    email: 'orgs-fuller@example.test',
    description: 'More',
    website: 'https://more.example.test',
    location: 'Valley',
    visibility: 'public',
    repo_admin_change_team_access: false,
  })
  await edit('nothing', {})
  await edit('one field', { location: 'Bridge' })
  await edit('empty texts', { description: '', website: '', location: '' })
  await edit('no e-mail address', { email: '' })
  await edit('an e-mail address that is none', { email: 'x' })
  await edit('an unknown visibility', { visibility: 'ghostly' })
  await edit('a website that is none', { website: 'no url' })
  await edit('by the administrator', { full_name: 'By Admin' }, 'admin')

  const team = (
    await t.stage('orgs-ann', 'POST', '/orgs/orgs-full/teams', {
      name: 'smiths',
      permission: 'read',
      units: ['repo.code'],
    })
  ).body.id
  await t.stage('orgs-ann', 'PUT', `/teams/${team}/members/orgs-bob`)
  await t.stage('orgs-ann', 'PUT', `/teams/${team}/members/orgs-cid`)
  const members = (step: string, path: string, as: string | null, expectation: object = {}) =>
    t.call(`members: ${step}`, as, 'GET', `/orgs/orgs-full/${path}`, {}, expectation)
  await members('seen by a member', 'members', 'orgs-bob', { unordered: true })
  await members('seen by a stranger', 'members', 'orgs-eve')
  await members('seen by nobody', 'members', null)
  await members('page 1', 'members?limit=2', 'orgs-bob', { statusOnly: true })
  await members('public ones, none yet', 'public_members', null)
  await members('whether bob is one, asked by a member', 'members/orgs-bob', 'orgs-ann')
  await members('whether eve is one, asked by a member', 'members/orgs-eve', 'orgs-ann')
  await members(
    'whether bob is one, asked by a stranger: look among the public ones',
    'members/orgs-bob',
    'orgs-eve',
    { statusOnly: true },
  )
  await members('whether bob is one, asked by nobody', 'members/orgs-bob', null)
  await members('whether an unknown user is one', 'members/orgs-none', 'orgs-ann')
  await members('whether bob is a public one', 'public_members/orgs-bob', 'orgs-eve')
  const show = (step: string, method: string, name: string, as: string | null) =>
    t.call(`members: ${step}`, as, method, `/orgs/orgs-full/public_members/${name}`)
  await show('nobody may not show bob', 'PUT', 'orgs-bob', null)
  await show('the owner shows bob', 'PUT', 'orgs-bob', 'orgs-ann')
  await show('eve is no member to be shown', 'PUT', 'orgs-eve', 'orgs-eve')
  await show('bob shows himself', 'PUT', 'orgs-bob', 'orgs-bob')
  await members('public ones', 'public_members', null)
  await members('bob is a public one now', 'public_members/orgs-bob', null)
  await members('a stranger sees public ones only', 'members', 'orgs-eve')
  await show('cid may not hide bob', 'DELETE', 'orgs-bob', 'orgs-cid')
  await show('bob hides himself', 'DELETE', 'orgs-bob', 'orgs-bob')
  const leave = (step: string, name: string, as: string | null, decided: object = {}) =>
    t.call(`members: ${step}`, as, 'DELETE', `/orgs/orgs-full/members/${name}`, {}, decided)
  await leave('a stranger may not remove bob', 'orgs-bob', 'orgs-eve')
  await leave('a member may not remove another', 'orgs-bob', 'orgs-cid')
  await leave('the owner removes bob', 'orgs-bob', 'orgs-ann')
  await leave('bob is removed twice', 'orgs-bob', 'orgs-ann')
  await leave('the last owner cannot leave', 'orgs-ann', 'orgs-ann', { decision: 'D13', status: 422 })

  const rename = (step: string, new_name: unknown, as: string | null = 'orgs-ann') =>
    t.call(`rename: ${step}`, as, 'POST', '/orgs/orgs-full/rename', { body: { new_name } })
  await rename('nobody', 'orgs-new', null)
  await rename('a stranger', 'orgs-new', 'orgs-eve')
  await rename('no name', undefined)
  await rename('a name that is none', 'not a name')
  await rename('a name that is taken', 'orgs-small')
  await t.stage('orgs-ann', 'POST', '/orgs/orgs-full/repos', { name: 'anvil' })
  await rename('to a new name', 'orgs-new')
  await t.call(
    'rename: the old name leads to the new one',
    'orgs-eve',
    'GET',
    '/orgs/orgs-full',
    {},
    { statusOnly: true },
  )
  await t.call('rename: the repository under the new name', 'orgs-eve', 'GET', '/repos/orgs-new/anvil')
  await t.call('repositories of an organization', 'orgs-eve', 'GET', '/orgs/orgs-new/repos')
  await t.call('activity of an organization', 'orgs-ann', 'GET', '/orgs/orgs-small/activities/feeds')

  const remove = (step: string, name: string, as: string | null, decided: object = {}) =>
    t.call(`delete: ${step}`, as, 'DELETE', `/orgs/${name}`, {}, decided)
  await remove('nobody', 'orgs-small', null)
  await remove('a stranger', 'orgs-small', 'orgs-eve')
  await remove('one with repositories', 'orgs-new', 'orgs-ann', { decision: 'D13', status: 422 })
  await t.call('delete: all repositories, by a stranger', 'orgs-eve', 'DELETE', '/orgs/orgs-new/repos')
  await t.call('delete: all repositories', 'orgs-ann', 'DELETE', '/orgs/orgs-new/repos')
  await t.until('orgs-ann', '/orgs/orgs-new/repos', (answer) => answer.body.length === 0)
  await remove('one without repositories any more', 'orgs-new', 'orgs-ann')
  await remove('by its owner', 'orgs-small', 'orgs-ann')
  await remove('twice', 'orgs-small', 'orgs-ann')
  await remove('by the administrator', 'orgs-private', 'admin')
}
