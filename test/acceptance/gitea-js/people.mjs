// Administration; user.
import assert from 'node:assert/strict'
import {
  admin,
  anonymous,
  guest,
  json,
  me,
  other,
  owner,
  PASSWORD,
  refused,
  signIn,
  test,
  UNIQUE,
  withPassword,
} from './kit.mjs'

for (const name of [owner, guest]) {
  await test(`admin: adminCreateUser ${name.slice(0, 3)}`, async () => {
    const { status, data } = await admin.admin.adminCreateUser({
      username: name,
      email: `${name}@example.test`,
      password: PASSWORD,
      must_change_password: false,
    })
    assert.equal(status, 201)
    assert.equal(data.login, name)
  })
}
await test('admin: adminCreateUser refuses a taken name', () =>
  refused(422, () =>
    admin.admin.adminCreateUser({ username: owner, email: `x${owner}@example.test`, password: PASSWORD }),
  ))
await test('admin: adminSearchUsers', async () => {
  const { data, headers } = await admin.admin.adminSearchUsers({ limit: 50 })
  assert.ok(data.length >= 2 && headers.get('x-total-count') >= 2)
})
await test('admin: adminEditUser', async () => {
  const { data } = await admin.admin.adminEditUser(guest, {
    login_name: guest,
    source_id: 0,
    full_name: 'A Guest',
  })
  assert.equal(data.full_name, 'A Guest')
})
await test('admin: adminCronList', async () => {
  assert.ok(Array.isArray((await admin.admin.adminCronList()).data))
})
await test('admin: adminGetAllEmails', async () => {
  assert.ok((await admin.admin.adminGetAllEmails({ limit: 50 })).data.length >= 2)
})
await test('users: userCreateToken with a password', async () => {
  const make = async (name) =>
    (await withPassword(name).users.userCreateToken(name, { name: 'js', scopes: ['all'] })).data.sha1
  const token = await make(owner)
  assert.match(token, /^[0-9a-f]{40}$/)
  signIn(token, await make(guest))
})
await test('users: userGetTokens shows no secret', async () => {
  const { data } = await withPassword(owner).users.userGetTokens(owner)
  assert.deepEqual(
    data.map((one) => [one.name, one.sha1]),
    [['js', '']],
  )
})
await test('admin calls are closed to others', () => refused(403, () => me.admin.adminSearchUsers()))
await test('user: userGetCurrent', async () => {
  const { data } = await me.user.userGetCurrent()
  assert.equal(data.login, owner)
  assert.equal(data.is_admin, false)
})
await test('user: userGetCurrent without a token', () => refused(401, () => anonymous.user.userGetCurrent()))
await test('user: getUserSettings and updateUserSettings', async () => {
  await me.user.updateUserSettings({ full_name: 'The Owner', website: 'https://example.test' })
  assert.equal((await me.user.getUserSettings()).data.full_name, 'The Owner')
})
await test('users: userGet', async () => {
  assert.equal((await anonymous.users.userGet(owner)).data.full_name, 'The Owner')
})
await test('users: userGet of an absent user', () => refused(404, () => me.users.userGet(`no${UNIQUE}`)))
await test('users: userSearch', async () => {
  const { data } = await me.users.userSearch({ q: owner })
  assert.equal(data.ok, true)
  assert.equal(data.data[0].login, owner)
})
await test('user: emails', async () => {
  const { status } = await me.user.userAddEmail({ emails: [`second${UNIQUE}@example.test`] })
  assert.equal(status, 201)
  assert.equal((await me.user.userListEmails()).data.length, 2)
  assert.equal((await me.user.userDeleteEmail({ emails: [`second${UNIQUE}@example.test`] })).status, 204)
})
await test('user: follow and unfollow', async () => {
  assert.equal((await me.user.userCurrentPutFollow(guest)).status, 204)
  assert.deepEqual(
    (await me.user.userCurrentListFollowing()).data.map((one) => one.login),
    [guest],
  )
  assert.deepEqual(
    (await other.user.userCurrentListFollowers()).data.map((one) => one.login),
    [owner],
  )
  assert.equal((await me.user.userCurrentDeleteFollow(guest)).status, 204)
})
await test('user: OAuth2 applications', async () => {
  const { status, data } = await me.user.userCreateOAuth2Application(
    {
      name: 'app',
      redirect_uris: ['http://127.0.0.1/callback'],
      confidential_client: true,
    },
    json,
  )
  assert.equal(status, 201)
  assert.ok(data.client_id && data.client_secret)
  assert.equal((await me.user.userGetOAuth2Application(data.id)).data.name, 'app')
  assert.equal((await me.user.userDeleteOAuth2Application(data.id)).status, 204)
})
await test('user: variables', async () => {
  assert.equal((await me.user.createUserVariable('TASTE', { value: 'sweet' })).status, 201)
  assert.equal((await me.user.getUserVariable('TASTE')).data.data, 'sweet')
  await me.user.updateUserVariable('TASTE', { value: 'sour' })
  assert.deepEqual(
    (await me.user.getUserVariablesList()).data.map((one) => one.data),
    ['sour'],
  )
  await me.user.deleteUserVariable('TASTE')
})
