/** Ways of authentication. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  await t.person('auth-ann', { full_name: 'Ann' })
  await t.person('auth-bob')
  await t.stage('auth-ann', 'POST', '/user/repos', { name: 'closed', private: true })
  const token = (
    await t.stage('auth-ann', 'POST', '/users/auth-ann/tokens', { name: 'all', scopes: ['all'] })
  ).body.sha1 as string
  const root = (
    await t.stage('admin', 'POST', `/users/${(await t.stage('admin', 'GET', '/user')).body.login}/tokens`, {
      name: 'auth',
      scopes: ['all'],
    })
  ).body.sha1 as string
  const basic = (name: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })
  const who = (step: string, headers: Record<string, string> = {}) =>
    t.call(step, null, 'GET', '/user', { headers })

  await who('nobody')
  await who('name and password', { authorization: t.basic('auth-ann') })
  await who('name in capitals and password', basic('AUTH-ANN', 'pw-auth-ann-1234'))
  await who('e-mail address and password', basic('auth-ann@example.test', 'pw-auth-ann-1234'))
  await who('a wrong password', basic('auth-ann', 'wrong'))
  await who('an unknown name', basic('auth-nobody-known', 'wrong'))
  await who('an empty password', basic('auth-ann', ''))
  await who('basic that is no base64', { authorization: 'Basic %%%' })
  await who('basic without a colon', { authorization: `Basic ${Buffer.from('auth-ann').toString('base64')}` })
  await who('basic in small letters', { authorization: t.basic('auth-ann').replace('Basic', 'basic') })
  await who('a token', { authorization: `token ${token}` })
  await who('a token, the word in capitals', { authorization: `TOKEN ${token}` })
  await who('a bearer token', { authorization: `Bearer ${token}` })
  await who('a bearer token, the word in small letters', { authorization: `bearer ${token}` })
  await who('an unknown scheme', { authorization: `Apikey ${token}` })
  await who('a token without a scheme', { authorization: token })
  await who('a token with a word too many', { authorization: `token ${token} more` })
  await who('a token that does not exist', {
    authorization: 'token 0123456789012345678901234567890123456789',
  })
  await who('a token that has not the form of one', { authorization: 'token short' })
  await who('a token as password, with its owner', basic('auth-ann', token))
  await who('a token as password, with any name', basic('somebody', token))
  await who('a token as password, with another name', basic('auth-bob', token))
  await who('a token as user name without password', basic(token, ''))
  await who('a token as user name with the password x-oauth-basic', basic(token, 'x-oauth-basic'))
  await who('a token as user name with another password', basic(token, 'anything'))
  await t.call('a token in the query', null, 'GET', `/user?token=${token}`)
  await t.call('a token in the query under its other name', null, 'GET', `/user?access_token=${token}`)
  await t.call(
    'a wrong token in the query',
    null,
    'GET',
    '/user?token=0123456789012345678901234567890123456789',
  )
  await t.call('a good token in the query beside a wrong password', null, 'GET', `/user?token=${token}`, {
    headers: basic('auth-ann', 'wrong'),
  })
  await t.call(
    'a wrong token in the query beside a good password',
    null,
    'GET',
    '/user?token=0123456789012345678901234567890123456789',
    { headers: basic('auth-ann', 'pw-auth-ann-1234') },
  )
  await t.call('a wrong password where nobody is welcome', null, 'GET', '/version', {
    headers: basic('auth-ann', 'wrong'),
  })
  await t.call('a wrong password for a missing repository', null, 'GET', '/repos/auth-ann/none', {
    headers: basic('auth-ann', 'wrong'),
  })
  await t.call(
    'a wrong password for an unknown path',
    null,
    'GET',
    '/auth/no/such/path',
    { headers: basic('auth-ann', 'wrong') },
    { statusOnly: true },
  )
  await t.call('a known path with a wrong method', 'auth-ann', 'PUT', '/version', {}, { statusOnly: true })
  await t.call('a slash at the end', 'auth-ann', 'GET', '/user/')
  await t.call('a private repository, nobody', null, 'GET', '/repos/auth-ann/closed', {})
  await t.call('a private repository, by token', null, 'GET', '/repos/auth-ann/closed', {
    headers: { authorization: `token ${token}` },
  })

  await t.call('sudo by query', 'admin', 'GET', '/user?sudo=auth-bob')
  await t.call('sudo by header', 'admin', 'GET', '/user', { headers: { sudo: 'auth-bob' } })
  await t.call('sudo by query before header', 'admin', 'GET', '/user?sudo=auth-bob', {
    headers: { sudo: 'auth-ann' },
  })
  await t.call('sudo with a token', null, 'GET', '/user?sudo=auth-bob', {
    headers: { authorization: `token ${root}` },
  })
  await t.call('sudo to somebody unknown', 'admin', 'GET', '/user?sudo=auth-nobody-known')
  await t.call('sudo by a plain user', 'auth-ann', 'GET', '/user?sudo=auth-bob')
  await t.call('sudo by a plain user to somebody unknown', 'auth-ann', 'GET', '/user?sudo=auth-nobody-known')
  await t.call('sudo by nobody', null, 'GET', '/user?sudo=auth-bob')
  await t.call(
    'an administrator who acts for a plain user is none',
    'admin',
    'GET',
    '/admin/users?sudo=auth-bob',
  )
  await t.call('a repository is made in the name of another', 'admin', 'POST', '/user/repos?sudo=auth-bob', {
    body: { name: 'gift' },
  })
  await t.call('it belongs to the other', 'auth-bob', 'GET', '/repos/auth-bob/gift')

  await t.stage('admin', 'PATCH', '/admin/users/auth-bob', {
    login_name: 'auth-bob',
    source_id: 0,
    prohibit_login: true,
  })
  await t.call('a prohibited user, by password', 'auth-bob', 'GET', '/user')
  await t.stage('admin', 'PATCH', '/admin/users/auth-bob', {
    login_name: 'auth-bob',
    source_id: 0,
    prohibit_login: false,
  })
  const bobs = (await t.stage('auth-bob', 'POST', '/users/auth-bob/tokens', { name: 'b', scopes: ['all'] }))
    .body.sha1 as string
  await t.stage('admin', 'PATCH', '/admin/users/auth-bob', {
    login_name: 'auth-bob',
    source_id: 0,
    prohibit_login: true,
  })
  await who('a prohibited user, by token', { authorization: `token ${bobs}` })
  await t.stage('admin', 'PATCH', '/admin/users/auth-bob', {
    login_name: 'auth-bob',
    source_id: 0,
    prohibit_login: false,
    active: false,
  })
  await who('an inactive user, by token', { authorization: `token ${bobs}` })
  await who('an inactive user, by password', { authorization: t.basic('auth-bob') })
  await t.stage('admin', 'PATCH', '/admin/users/auth-bob', {
    login_name: 'auth-bob',
    source_id: 0,
    active: true,
    must_change_password: true,
  })
  await who('a user who must change the password, by password', { authorization: t.basic('auth-bob') })
  await who('a user who must change the password, by token', { authorization: `token ${bobs}` })
  await t.stage('auth-ann', 'DELETE', '/users/auth-ann/tokens/all')
  await who('a token that was deleted', { authorization: `token ${token}` })
}
