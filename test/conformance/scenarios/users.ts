/** Profiles, settings and e-mail addresses of users. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  await t.person('users-ann', { full_name: 'Ann Usersmith' })
  await t.person('users-bob', { full_name: 'Bob Usersmithson' })
  await t.person('users-cid')
  await t.person('users-limited', { visibility: 'limited' })
  await t.person('users-private', { visibility: 'private' })
  await t.stage('users-ann', 'POST', '/orgs', { username: 'users-org' })

  await t.call('oneself', 'users-ann', 'GET', '/user')
  await t.call('nobody is nobody', null, 'GET', '/user')
  await t.call('another user', 'users-bob', 'GET', '/users/users-ann')
  await t.call('another user, name in capitals', 'users-bob', 'GET', '/users/USERS-ANN')
  await t.call('a user, seen by nobody', null, 'GET', '/users/users-ann')
  await t.call('a user, seen by the administrator', 'admin', 'GET', '/users/users-ann')
  await t.call('an unknown user', null, 'GET', '/users/users-none')
  await t.call('an organization as user', 'users-bob', 'GET', '/users/users-org')
  await t.call('a limited user, seen by nobody', null, 'GET', '/users/users-limited')
  await t.call('a limited user, seen by another', 'users-bob', 'GET', '/users/users-limited')
  await t.call('a private user, seen by nobody', null, 'GET', '/users/users-private')
  await t.call('a private user, seen by another', 'users-bob', 'GET', '/users/users-private')
  await t.call('a private user, seen by the administrator', 'admin', 'GET', '/users/users-private')
  await t.call('a private user sees himself', 'users-private', 'GET', '/users/users-private')

  const search = (step: string, query: string, as: string | null = 'users-bob') =>
    t.call(`search: ${step}`, as, 'GET', `/users/search?${query}`)
  await search('by name', 'q=users-')
  await search('by nobody', 'q=users-', null)
  await search('by the administrator', 'q=users-', 'admin')
  await search('by full name', 'q=usersmith&limit=50')
  await search('by e-mail address', 'q=users-ann@example.test')
  await search('nothing', 'q=users-nothing-at-all')
  await search('page 1', 'q=users-&limit=2')
  await search('page 2', 'q=users-&limit=2&page=2')
  const ann = (await t.stage('users-ann', 'GET', '/user')).body.id
  await search('by id', `uid=${ann}`)
  await search('by an id of nobody', 'uid=99999999')
  await search('a sort is not looked at', 'q=users-&sort=id&order=desc')
  await t.call('repositories of a user', null, 'GET', '/users/users-ann/repos')
  await t.call('organizations of a user', 'users-ann', 'GET', '/users/users-ann/orgs')
  await t.call('organizations of another user', 'users-bob', 'GET', '/users/users-ann/orgs')
  await t.call(
    'rights of a user in an organization',
    'users-ann',
    'GET',
    '/users/users-ann/orgs/users-org/permissions',
  )
  await t.call(
    'rights of a stranger in an organization',
    'users-bob',
    'GET',
    '/users/users-bob/orgs/users-org/permissions',
  )
  await t.call(
    'rights in an unknown organization',
    'users-bob',
    'GET',
    '/users/users-bob/orgs/users-none/permissions',
  )
  await t.call('teams of oneself', 'users-ann', 'GET', '/user/teams', {}, { ignore: ['units'] })
  await t.call('an empty heat map', 'users-bob', 'GET', '/users/users-cid/heatmap')

  await t.call('settings', 'users-ann', 'GET', '/user/settings')
  await t.call('nobody has no settings', null, 'GET', '/user/settings')
  const set = (step: string, body: unknown, as: string | null = 'users-ann') =>
    t.call(`settings: ${step}`, as, 'PATCH', '/user/settings', { body })
  await set('nobody may not change any', { full_name: 'x' }, null)
  await set('every field', {
    full_name: 'Ann of the Forge',
    website: 'https://ann.example.test',
    description: 'Smith',
    location: 'Hill',
    language: 'de-DE',
    theme: 'gitea-dark',
    diff_view_style: 'split',
    hide_email: true,
    hide_activity: true,
  })
  await set('nothing', {})
  await set('one field only', { location: 'Valley' })
  await set('an empty text', { website: '' })
  await set('a website that is none', { website: 'no url' })
  await set('a text that is too long', { location: 'x'.repeat(300) })
  await set('a truth value that is none', { hide_email: 'perhaps' })
  await t.call('the address is hidden from others', 'users-bob', 'GET', '/users/users-ann')
  await t.call('the address is not hidden from oneself', 'users-ann', 'GET', '/user')
  await t.call('the address is not hidden from the administrator', 'admin', 'GET', '/users/users-ann')
  await set('shown again', { hide_email: false, hide_activity: false })

  const add = (step: string, emails: unknown, as: string | null = 'users-ann') =>
    t.call(`emails: ${step}`, as, 'POST', '/user/emails', { body: { emails } })
  await t.call('own addresses', 'users-ann', 'GET', '/user/emails')
  await t.call('nobody has no addresses', null, 'GET', '/user/emails')
  await add('nobody may not add one', ['users-n@example.test'], null)
  await add('two more', ['users-ann-2@example.test', 'Users-Ann-3@example.test'])
  await add('one again', ['users-ann-2@example.test'])
  await add('one of another', ['users-bob@example.test'])
  await add('none', [])
  await add('one that is none', ['users-ann'])
  await t.call('emails: no body', 'users-ann', 'POST', '/user/emails')
  await t.call('three addresses', 'users-ann', 'GET', '/user/emails', {}, { unordered: true })
  await t.call(
    'a second address finds nobody',
    'users-bob',
    'GET',
    '/users/search?q=users-ann-2@example.test',
  )
  const remove = (step: string, emails: unknown, as: string | null = 'users-ann') =>
    t.call(`emails: ${step}`, as, 'DELETE', '/user/emails', { body: { emails } })
  await remove('nobody may not delete one', ['users-ann-2@example.test'], null)
  await remove('deleted', ['users-ann-2@example.test'])
  await remove('deleted twice', ['users-ann-2@example.test'])
  await remove('one of another cannot be deleted', ['users-bob@example.test'])
  await t.call(
    'emails: the primary one cannot be deleted',
    'users-ann',
    'DELETE',
    '/user/emails',
    { body: { emails: ['users-ann@example.test'] } },
    { decision: 'D13', status: 422 },
  )
  await remove('none is deleted', [])
}
