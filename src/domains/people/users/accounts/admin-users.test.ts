/** Management of users by site administrators, over REST. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Reply, startForge } from '#testing'
import { enrollTotp } from '../sign-in/totp.ts'
import { createUser } from './create-user.ts'

const forge = await startForge({ config: { 'password.length_min': 8 } })
after(() => forge[Symbol.asyncDispose]())

await forge.person('root', { is_admin: true })
await forge.person('eve')
await forge.person('guild', { kind: 'organization' })
await forge.person('untouched')
const body = { username: 'newcomer', email: 'newcomer@example.test', password: 'long-enough' }

for (const { as, status } of [
  { as: null, status: 401 },
  { as: 'eve', status: 403 },
])
  test(`${as ?? 'anonymous'} cannot manage users: ${status}`, async () => {
    for (const [method, path, sent] of [
      ['GET', '/admin/users', undefined],
      ['POST', '/admin/users', body],
      ['PATCH', '/admin/users/eve', { admin: true }],
      ['PATCH', '/admin/users/nobody', { admin: true }],
      ['POST', '/admin/users/eve/rename', { new_username: 'eva' }],
    ] as const)
      assert.equal((await forge.call(as, method, path, sent)).status, status, `${method} ${path}`)
  })

for (const { what, sent, status } of [
  { what: 'no name', sent: { ...body, username: undefined }, status: 422 },
  { what: 'no address', sent: { ...body, email: undefined }, status: 422 },
  { what: 'no password', sent: { ...body, password: undefined }, status: 400 },
  { what: 'a short password', sent: { ...body, password: '1234567' }, status: 400 },
  { what: 'a password without end', sent: { ...body, password: 'x'.repeat(256) }, status: 422 },
  { what: 'a name that is too long', sent: { ...body, username: 'a'.repeat(41) }, status: 422 },
  { what: 'two marks in a row', sent: { ...body, username: 'a..b' }, status: 422 },
  { what: 'a reserved name', sent: { ...body, username: 'Admin', isReservedAllowed: true }, status: 422 },
  { what: 'a reserved ending', sent: { ...body, username: 'eve.keys' }, status: 422 },
  { what: 'a name of another', sent: { ...body, username: 'EVE' }, status: 422 },
  { what: 'a name of an organization', sent: { ...body, username: 'guild' }, status: 422 },
  { what: 'an address of another', sent: { ...body, email: 'Eve@example.test' }, status: 422 },
  { what: 'an unknown visibility', sent: { ...body, visibility: 'ghostly' }, status: 422 },
  { what: 'an unknown source', sent: { ...body, source_id: 7 }, status: 422 },
  { what: 'a time that is none', sent: { ...body, created_at: 'yesterday' }, status: 422 },
])
  test(`a user with ${what} is not created: ${status}`, async () => {
    assert.equal((await forge.call('root', 'POST', '/admin/users', sent)).status, status)
    assert.equal((await forge.call('root', 'GET', '/users/newcomer')).status, 404)
  })

test('a user is created with every field and signs in; is_admin in the request is ignored', async () => {
  const created = await forge.call('root', 'POST', '/admin/users', {
    username: 'Full',
    email: 'Full@Example.Test',
    password: 'long-enough',
    full_name: 'Full Name',
    login_name: 'f.name',
    source_id: 0,
    must_change_password: false,
    restricted: true,
    visibility: 'limited',
    send_notify: true,
    created_at: '2020-02-03T04:05:06+01:00',
    is_admin: true,
    admin: true,
  })
  assert.equal(created.status, 201)
  const { login, email, full_name, login_name, restricted, visibility, is_admin } = created.body
  assert.deepEqual(
    { login, email, full_name, login_name, restricted, visibility, is_admin },
    {
      login: 'Full',
      email: 'Full@Example.Test',
      full_name: 'Full Name',
      login_name: 'f.name',
      restricted: true,
      visibility: 'limited',
      is_admin: false,
    },
  )
  assert.equal(created.body.created, '2020-02-03T03:05:06Z')
  assert.equal((await signIn('full', 'long-enough')).status, 200)
})

test('a new user must change the password by default', async () => {
  const sent = { username: 'bound', email: 'bound@example.test', password: 'long-enough' }
  assert.equal((await forge.call('root', 'POST', '/admin/users', sent)).status, 201)
  assert.equal((await signIn('bound', 'long-enough')).status, 403)
  const freed = await forge.call('root', 'PATCH', '/admin/users/bound', { must_change_password: false })
  assert.equal(freed.status, 200)
  assert.equal((await signIn('bound', 'long-enough')).status, 200)
})

test('of concurrent creations of one name one succeeds, the others get 422', async () => {
  const ask = (n: number) =>
    forge.call('root', 'POST', '/admin/users', { ...body, username: 'wanted', email: `w${n}@example.test` })
  const replies = await Promise.all([1, 2, 3, 4].map(ask))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422, 422, 422])
})

test('createUser allows a reserved name and a role, as for the command line', async () => {
  const input = { username: 'admin', email: 'admin@example.test', password: 'long-enough' }
  await assert.rejects(createUser(forge.ctx, input))
  const admin = await createUser(forge.ctx, { ...input, is_admin: true, isReservedAllowed: true })
  assert.equal(admin.is_admin, true)
})

test('an edit changes only the given fields', async () => {
  await forge.person('bob', { full_name: 'Bob', location: 'Hill' })
  const edit = (sent: object) => forge.call('root', 'PATCH', '/admin/users/bob', sent)
  const changed = await edit({ location: '', website: 'http://bob.example', restricted: true })
  assert.equal(changed.status, 200)
  assert.equal(changed.body.full_name, 'Bob')
  assert.equal(changed.body.location, '')
  assert.equal(changed.body.website, 'http://bob.example')
  assert.equal(changed.body.restricted, true)
  assert.equal((await edit({ login_name: 'b', source_id: 0 })).body.login_name, 'b')
  assert.equal((await edit({ full_name: 'Bobby' })).body.login_name, 'b')
  assert.equal((await edit({ visibility: '' })).body.visibility, 'public')
  const roles = { admin: true, allow_git_hook: true, allow_import_local: true, max_repo_creation: 3 }
  assert.equal((await edit({ ...roles, allow_create_organization: false })).body.is_admin, true)
  const row = await forge.db
    .selectFrom('account')
    .select(['may_use_git_hooks', 'may_import_local', 'repositories_max', 'may_create_organization'])
    .where('login', '=', 'bob')
    .executeTakeFirst()
  assert.deepEqual(row, {
    may_use_git_hooks: true,
    may_import_local: true,
    repositories_max: 3,
    may_create_organization: false,
  })
  assert.equal((await edit({ admin: false })).body.is_admin, false)
})

for (const { what, sent, status } of [
  { what: 'a website that is none', sent: { website: 'none' }, status: 422 },
  { what: 'an unknown visibility', sent: { visibility: 'ghostly' }, status: 422 },
  { what: 'an unknown source', sent: { source_id: 9 }, status: 422 },
  { what: 'fewer than no repositories', sent: { max_repo_creation: -2 }, status: 422 },
  { what: 'a short password', sent: { password: 'short' }, status: 400 },
  { what: 'an address that is none', sent: { email: 'none' }, status: 400 },
  { what: 'an address of another', sent: { email: 'Eve@example.test' }, status: 400 },
])
  test(`an edit with ${what} changes nothing: ${status}`, async () => {
    const edited = { full_name: 'changed', ...sent }
    assert.equal((await forge.call('root', 'PATCH', '/admin/users/untouched', edited)).status, status)
    const { body: user } = await forge.call('root', 'GET', '/users/untouched')
    assert.equal(user.full_name, '')
    assert.equal(user.email, 'untouched@example.test')
  })

test('the former primary address stays as a secondary one and can become primary again', async () => {
  await forge.person('mia')
  const primaries = async () =>
    (await forge.call('mia', 'GET', '/user/emails')).body.map((it: { email: string; primary: boolean }) => [
      it.email,
      it.primary,
    ])
  const set = (email: string) => forge.call('root', 'PATCH', '/admin/users/mia', { email })
  assert.equal((await set('mia-2@example.test')).body.email, 'mia-2@example.test')
  assert.deepEqual(await primaries(), [
    ['mia@example.test', false],
    ['mia-2@example.test', true],
  ])
  assert.equal((await set('MIA@example.test')).body.email, 'MIA@example.test')
  assert.deepEqual(await primaries(), [
    ['MIA@example.test', true],
    ['mia-2@example.test', false],
  ])
})

test('the last administrator cannot be demoted, even by concurrent requests', async () => {
  await using other = await startForge()
  await other.person('one', { is_admin: true })
  await other.person('two', { is_admin: true })
  const strike = (as: string, whom: string) =>
    other.call(as, 'PATCH', `/admin/users/${whom}`, { admin: false })
  const admins = async () =>
    (await other.db.selectFrom('account').select('login').where('is_admin', '=', true).execute()).map(
      ({ login }) => login,
    )
  for (let round = 0; round < 20; round++) {
    const replies = await Promise.all([strike('one', 'two'), strike('two', 'one')])
    assert.equal((await admins()).length, 1)
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    await other.db.updateTable('account').set({ is_admin: true }).where('kind', '=', 'user').execute()
  }
  await strike('one', 'two')
  assert.equal((await strike('one', 'one')).status, 400)
})

test('a renamed user is found under the new name, and the old names redirect', async () => {
  await forge.person('Old-Name')
  const rename = (from: string, to: unknown) =>
    forge.call('root', 'POST', `/admin/users/${from}/rename`, { new_username: to })
  assert.equal((await rename('old-name', 'New-Name')).status, 204)
  const moved = await forge.call(null, 'GET', '/users/old-name?x=1')
  assert.equal(moved.status, 302)
  assert.equal(moved.headers.get('location'), '/api/v1/users/New-Name?x=1')
  assert.equal((await rename('new-name', 'NEW-NAME')).status, 204, 'other letters only')
  assert.equal((await forge.call(null, 'GET', '/users/new-name')).body.login, 'NEW-NAME')
  assert.equal((await rename('new-name', 'third-name')).status, 204)
  for (const name of ['old-name', 'new-name'])
    assert.equal(
      (await forge.call(null, 'GET', `/users/${name}`)).headers.get('location'),
      '/api/v1/users/third-name',
    )
  assert.equal((await rename('third-name', 'old-name')).status, 204, 'and back again')
  assert.equal((await forge.call(null, 'GET', '/users/old-name')).status, 200)
  for (const to of ['eve', 'EVE', 'guild', 'not a name', 'api', '', undefined])
    assert.equal((await rename('old-name', to)).status, 422, String(to))
  assert.equal((await rename('nobody', 'somebody')).status, 404)
  assert.equal((await rename('guild', 'league')).status, 422)
})

test('the redirect of a renamed private user is 404 for callers who may not see them', async () => {
  await forge.person('veiled', { visibility: 'private' })
  await forge.call('root', 'POST', '/admin/users/veiled/rename', { new_username: 'unveiled' })
  assert.equal((await forge.call('eve', 'GET', '/users/veiled')).status, 404)
  assert.equal((await forge.call('eve', 'PUT', '/user/following/veiled')).status, 404)
  assert.equal((await forge.call('root', 'GET', '/users/veiled')).status, 302)
})

test('administrators find users by every filter and sort order', async () => {
  await forge.person('find-a', { is_admin: true, created_at: new Date('2021-01-01') })
  await forge.person('Find-b', {
    is_restricted: true,
    visibility: 'limited',
    updated_at: new Date('2020-01-01'),
  })
  await forge.person('find-c', { prohibits_login: true, visibility: 'private', login_name: 'ceecee' })
  const enrolled = await forge.person('find-d', { is_active: false, email: 'address-of-d@example.test' })
  await enrollTotp(forge.ctx, enrolled)
  for (const [query, expected] of [
    ['', 'Find-b find-a find-c find-d'],
    ['sort=name&order=desc', 'find-d find-c find-a Find-b'],
    ['sort=id&order=desc', 'find-d find-c Find-b find-a'],
    ['sort=created&order=asc', 'find-a Find-b find-c find-d'],
    ['sort=updated&order=asc', 'Find-b find-a find-c find-d'],
    ['order=desc', 'Find-b find-a find-c find-d'],
    ['visibility=limited', 'Find-b'],
    ['is_admin=true', 'find-a'],
    ['is_admin=false&is_restricted=false', 'find-c find-d'],
    ['is_active=false', 'find-d'],
    ['is_prohibit_login=true', 'find-c'],
    ['is_2fa_enabled=true', 'find-d'],
    ['is_2fa_enabled=false', 'Find-b find-a find-c'],
    ['login_name=ceecee', 'find-c'],
    ['source_id=5', ''],
    ['limit=1&page=2', 'find-a'],
  ] as const) {
    const { status, body: users } = await forge.call('root', 'GET', `/admin/users?q=find-&${query}`)
    assert.equal(status, 200, query)
    assert.equal(users.map((it: { login: string }) => it.login).join(' '), expected, query)
  }
  const byAddress = await forge.call('root', 'GET', '/admin/users?q=ADDRESS-of')
  assert.deepEqual(
    byAddress.body.map((it: { login: string }) => it.login),
    ['find-d'],
  )
  for (const query of ['sort=size', 'sort=name&order=up', 'visibility=ghostly'])
    assert.equal((await forge.call('root', 'GET', `/admin/users?${query}`)).status, 422, query)
})

function signIn(name: string, password: string): Promise<Reply> {
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  return forge.call(null, 'GET', '/user', undefined, { authorization })
}
