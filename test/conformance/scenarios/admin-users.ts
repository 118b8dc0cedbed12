/** Users, managed by an administrator. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  await t.person('adminu-eve')
  const create = (step: string, body: unknown, as: string | null = 'admin') =>
    t.call(step, as, 'POST', '/admin/users', { body })
  const base = { email: 'adminu-x@example.test', username: 'adminu-x', password: 'pw-x-1234' }
  await create('nobody may not create a user', base, null)
  await create('a plain user may not create a user', base, 'adminu-eve')
  await t.call('no body', 'admin', 'POST', '/admin/users')
  await create('no name', { ...base, username: undefined })
  await create('no e-mail address', { ...base, email: undefined })
  await create('no password', { ...base, password: undefined })
  await create('a password that is too short', { ...base, password: 'abc' })
  await create('a name that is too long', { ...base, username: 'a'.repeat(41) })
  await create('a name with a space', { ...base, username: 'adminu x' })
  await create('a name with two dots', { ...base, username: 'adminu..x' })
  await create('a name that begins with a dash', { ...base, username: '-adminu' })
  await create('a reserved name', { ...base, username: 'api' })
  await create('a name with a reserved ending', { ...base, username: 'adminu.keys' })
  await create('an e-mail address that is none', { ...base, email: 'adminu' })
  await create('an e-mail address of another', { ...base, email: 'adminu-eve@example.test' })
  await create('a name of another', { ...base, username: 'adminu-eve' })
  await create('a name of another in capitals', { ...base, username: 'AdminU-Eve' })
  await create('an unknown visibility', { ...base, visibility: 'ghostly' })
  await create('an unknown source', { ...base, source_id: 99999 })
  await create('the smallest user', base)
  await create('every field', {
    username: 'AdminU-Full',
    email: 'adminu-full@example.test',
    password: 'pw-full-1234',
    full_name: 'Full Name',
    login_name: 'full',
    source_id: 0,
    must_change_password: false,
    restricted: true,
    visibility: 'limited',
    send_notify: true,
    created_at: '2020-02-03T04:05:06Z',
  })
  await t.call('the new user, seen by everybody signed in', 'adminu-eve', 'GET', '/users/adminu-full')
  await t.call('the new user, seen by nobody', null, 'GET', '/users/adminu-full')
  await t.call('a new user must change the password by default', null, 'GET', '/user', {
    headers: { authorization: `Basic ${Buffer.from('adminu-x:pw-x-1234').toString('base64')}` },
  })

  const edit = (step: string, body: object, as: string | null = 'admin', name = 'adminu-full') =>
    t.call(`edit: ${step}`, as, 'PATCH', `/admin/users/${name}`, {
      body: { login_name: 'full', source_id: 0, ...body },
    })
  await edit('nobody may not edit a user', {}, null)
  await edit('a plain user may not edit a user', { admin: true }, 'adminu-eve')
  await edit('an unknown user', {}, 'admin', 'adminu-none')
  await t.call('an edit without login name and source', 'admin', 'PATCH', '/admin/users/adminu-full', {
    body: { full_name: 'Half' },
  })
  await edit('profile', {
    full_name: 'New Name',
    website: 'https://adminu.example.test',
    location: 'Forge',
    description: 'Smith',
    visibility: 'public',
  })
  await edit('texts become empty', { full_name: '', website: '', location: '', description: '' })
  await edit('a website that is none', { website: 'not a url' })
  await edit('a visibility that is none', { visibility: 'ghostly' })
  await edit('another e-mail address', { email: 'adminu-full-2@example.test' })
  await edit('the e-mail address of another', { email: 'adminu-eve@example.test' })
  await edit('an e-mail address that is none', { email: 'adminu' })
  await edit('roles', {
    admin: true,
    restricted: false,
    prohibit_login: false,
    active: true,
    allow_git_hook: true,
    allow_import_local: true,
    allow_create_organization: false,
    max_repo_creation: 3,
  })
  await edit('no role any more', { admin: false, allow_git_hook: false, allow_import_local: false })
  await edit('a new password', { password: 'pw-new-1234', must_change_password: false })
  await edit('a password that is too short', { password: 'abc' })
  await t.call('the new password is good', null, 'GET', '/user', {
    headers: { authorization: `Basic ${Buffer.from('adminu-full:pw-new-1234').toString('base64')}` },
  })
  await t.call('an organization may not be made by whom it is forbidden', null, 'POST', '/orgs', {
    body: { username: 'adminu-forbidden' },
    headers: { authorization: `Basic ${Buffer.from('adminu-full:pw-new-1234').toString('base64')}` },
  })
  await edit('switched off', { active: false })
  await edit('switched on', { active: true })
  await t.call('a loginless edit of the source', 'admin', 'PATCH', '/admin/users/adminu-full', {
    body: { login_name: '', source_id: 0 },
  })

  const q = 'q=adminu-'
  await t.person('adminu-odd', { visibility: 'limited', restricted: true })
  await t.stage('admin', 'PATCH', '/admin/users/adminu-odd', {
    login_name: 'odd',
    source_id: 0,
    prohibit_login: true,
    admin: true,
  })
  await t.call('nobody may not list users', null, 'GET', '/admin/users')
  await t.call('a plain user may not list users', 'adminu-eve', 'GET', '/admin/users')
  await t.call('all users', 'admin', 'GET', '/admin/users', {}, { statusOnly: true })
  await t.call('users by a word', 'admin', 'GET', `/admin/users?${q}`)
  await t.call('users, page 1', 'admin', 'GET', `/admin/users?${q}&limit=2`)
  await t.call('users, page 2', 'admin', 'GET', `/admin/users?${q}&limit=2&page=2`)
  await t.call('users by e-mail address', 'admin', 'GET', '/admin/users?q=adminu-full-2@example')
  await t.call('users by name, backwards', 'admin', 'GET', `/admin/users?${q}&sort=name&order=desc`)
  await t.call('users by id', 'admin', 'GET', `/admin/users?${q}&sort=id&order=desc`)
  await t.call('users by creation', 'admin', 'GET', `/admin/users?${q}&sort=created&order=asc&limit=1`)
  await t.call(
    'users by last update',
    'admin',
    'GET',
    `/admin/users?${q}&sort=updated&order=asc&limit=1`,
    {},
    { statusOnly: true },
  )
  await t.call('users by an unknown sort', 'admin', 'GET', `/admin/users?${q}&sort=shoe-size`)
  await t.call('users by an unknown order', 'admin', 'GET', `/admin/users?${q}&sort=name&order=up`)
  await t.call('users of a visibility', 'admin', 'GET', `/admin/users?${q}&visibility=limited`)
  await t.call('users who are administrators', 'admin', 'GET', `/admin/users?${q}&is_admin=true`)
  await t.call(
    'users who are active',
    'admin',
    'GET',
    `/admin/users?${q}&is_active=true&is_restricted=false&limit=1`,
  )
  await t.call('users who are restricted', 'admin', 'GET', `/admin/users?${q}&is_restricted=true`)
  await t.call('users who may not sign in', 'admin', 'GET', `/admin/users?${q}&is_prohibit_login=true`)
  await t.call('users with a second factor', 'admin', 'GET', `/admin/users?${q}&is_2fa_enabled=true`)
  await t.call('users of a source', 'admin', 'GET', `/admin/users?${q}&source_id=5`)
  await t.call('users by login name', 'admin', 'GET', '/admin/users?login_name=odd')

  const rename = (step: string, from: string, new_username: unknown, as: string | null = 'admin') =>
    t.call(step, as, 'POST', `/admin/users/${from}/rename`, { body: { new_username } })
  await rename('nobody may not rename', 'adminu-x', 'adminu-y', null)
  await rename('a plain user may not rename', 'adminu-x', 'adminu-y', 'adminu-eve')
  await rename('a rename without a name', 'adminu-x', undefined)
  await rename('a rename to a name that is none', 'adminu-x', 'not a name')
  await rename('a rename to a name of another', 'adminu-x', 'adminu-eve')
  await rename('a rename to a reserved name', 'adminu-x', 'admin-')
  await rename('a rename of an unknown user', 'adminu-none', 'adminu-y')
  await rename('a rename', 'adminu-x', 'adminu-y')
  await rename('a rename to other letters only', 'adminu-y', 'AdminU-Y')
  await t.call(
    'the old name leads to the new one',
    'adminu-eve',
    'GET',
    '/users/adminu-x',
    {},
    { statusOnly: true },
  )
  await t.call('the new name', 'adminu-eve', 'GET', '/users/adminu-y')

  await t.call('badges of a user', 'admin', 'GET', '/admin/users/adminu-y/badges')
  await t.call('nobody may not list badges', null, 'GET', '/admin/users/adminu-y/badges')
  await t.call(
    'a badge that does not exist',
    'admin',
    'POST',
    '/admin/users/adminu-y/badges',
    { body: { badge_slugs: ['adminu-none'] } },
    { decision: 'D13', status: 422 },
  )
  await t.call('no badges to add', 'admin', 'POST', '/admin/users/adminu-y/badges', {
    body: { badge_slugs: [] },
  })
  await t.call('no badges to take', 'admin', 'DELETE', '/admin/users/adminu-y/badges', {
    body: { badge_slugs: [] },
  })
  await t.call('a missing badge to take', 'admin', 'DELETE', '/admin/users/adminu-y/badges', {
    body: { badge_slugs: ['adminu-none'] },
  })
  await t.call('badges of an unknown user', 'admin', 'GET', '/admin/users/adminu-none/badges')

  await t.call('a repository for a user', 'admin', 'POST', '/admin/users/adminu-y/repos', {
    body: { name: 'given' },
  })
  await t.call('the same repository again', 'admin', 'POST', '/admin/users/adminu-y/repos', {
    body: { name: 'given' },
  })
  await t.call('a repository without name', 'admin', 'POST', '/admin/users/adminu-y/repos', { body: {} })
  await t.call('a repository for an unknown user', 'admin', 'POST', '/admin/users/adminu-none/repos', {
    body: { name: 'given' },
  })
  await t.call(
    'a plain user may not give repositories',
    'adminu-eve',
    'POST',
    '/admin/users/adminu-y/repos',
    { body: { name: 'given' } },
  )
  await t.call('an organization for a user', 'admin', 'POST', '/admin/users/adminu-eve/orgs', {
    body: { username: 'adminu-org', visibility: 'limited', full_name: 'Given' },
  })
  await t.call('the same organization again', 'admin', 'POST', '/admin/users/adminu-eve/orgs', {
    body: { username: 'adminu-org' },
  })
  await t.call(
    'a plain user may not give organizations',
    'adminu-eve',
    'POST',
    '/admin/users/adminu-y/orgs',
    { body: { username: 'adminu-org-2' } },
  )
  await t.call('the owner sees the organization', 'adminu-eve', 'GET', '/user/orgs')

  const remove = (step: string, name: string, as: string | null = 'admin') =>
    t.call(step, as, 'DELETE', `/admin/users/${name}`)
  await remove('nobody may not delete a user', 'adminu-y', null)
  await remove('a plain user may not delete a user', 'adminu-y', 'adminu-eve')
  await remove('an unknown user cannot be deleted', 'adminu-none')
  await remove('a user who owns a repository cannot be deleted', 'adminu-y')
  await remove('a user who is the last owner of an organization cannot be deleted', 'adminu-eve')
  await remove('an organization is no user to be deleted', 'adminu-org')
  await t.call(
    'an administrator cannot delete himself',
    'admin',
    'DELETE',
    `/admin/users/${(await t.stage('admin', 'GET', '/user')).body.login}`,
  )
  await remove('a user who owns nothing is deleted', 'adminu-full')
  await remove('deleted twice', 'adminu-full')
  await remove('a user is deleted with all that belongs to him', 'adminu-y?purge=true')
  await t.call('the repository is gone with its owner', 'admin', 'GET', '/repos/adminu-y/given')
  await remove('the last owner is deleted together with the organization', 'adminu-eve?purge=true')
  await t.call('the organization is gone with its owner', 'admin', 'GET', '/orgs/adminu-org')
  await create('the name of a deleted user is free again', {
    ...base,
    username: 'adminu-full',
    email: 'adminu-full@example.test',
  })
}
