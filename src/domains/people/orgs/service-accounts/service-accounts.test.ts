/** Service accounts of organizations: tokens without a password. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findAccount, setPassword } from '#domains/people/users'
import { must } from '#platform/must'
import { type Forge, startForge } from '#testing'

const PASSWORD = 'a long password'
const basic = (login: string, password = PASSWORD) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const login of ['olga', 'ann', 'root'])
    await setPassword(forge.ctx, await forge.person(login, { is_admin: login === 'root' }), PASSWORD)
  for (const name of ['guild', 'other']) await forge.call('olga', 'POST', '/orgs', { username: name })
  await forge.call('olga', 'POST', '/orgs/guild/repos', { name: 'lab', private: true, auto_init: true })
})
after(() => forge[Symbol.asyncDispose]())

const create = (username: string, as = 'olga', org = 'guild') =>
  forge.call(as, 'POST', `/orgs/${org}/service_accounts`, { username, full_name: 'Builds' })
const issue = (login: string, as = 'olga', body: object = { name: `by ${as}`, scopes: ['all'] }) =>
  forge.call(null, 'POST', `/users/${login}/tokens`, body, basic(as))
const by = (token: string, path: string, method: 'GET' | 'POST' = 'GET', body?: object) =>
  forge.call(null, method, path, body, { authorization: `token ${token}` })

test('an owner creates one, issues its token and gives it rights by a team', async () => {
  const made = await create('guild-ci')
  assert.equal(made.status, 201)
  assert.equal(made.body.login, 'guild-ci')
  const token = (await issue('guild-ci')).body.sha1
  assert.equal((await by(token, '/user')).body.login, 'guild-ci')
  assert.equal((await by(token, '/repos/guild/lab')).status, 404)
  const team = {
    name: 'ci',
    permission: 'read',
    includes_all_repositories: true,
    units_map: { 'repo.code': 'read', 'repo.issues': 'write' },
  }
  const { id } = (await forge.call('olga', 'POST', '/orgs/guild/teams', team)).body
  assert.equal((await forge.call('olga', 'PUT', `/teams/${id}/members/guild-ci`)).status, 204)
  assert.equal((await by(token, '/repos/guild/lab')).status, 200)
  assert.equal(
    (await by(token, '/repos/guild/lab/issues', 'POST', { title: 'x' })).body.user.login,
    'guild-ci',
  )
  const { body } = await forge.call('olga', 'GET', '/orgs/guild/service_accounts')
  assert.deepEqual(
    body.map((it: { login: string }) => it.login),
    ['guild-ci'],
  )
})

for (const [who, as, org, status] of [
  ['a stranger', 'ann', 'guild', 403],
  ['an owner of nothing', 'ann', 'none', 404],
] as const)
  test(`${who} can neither create, list nor delete one: ${status}`, async () => {
    assert.equal((await create('x', as, org)).status, status)
    assert.equal((await forge.call(as, 'GET', `/orgs/${org}/service_accounts`)).status, status)
    assert.equal((await forge.call(as, 'DELETE', `/orgs/${org}/service_accounts/guild-ci`)).status, status)
  })

test('only owners of its organization and site administrators manage its tokens', async () => {
  assert.equal((await issue('guild-ci', 'ann')).status, 403)
  assert.equal((await issue('guild-ci', 'root')).status, 201)
  assert.equal((await issue('ann', 'olga')).status, 403, 'a user is not a service account')
  assert.equal((await forge.call('olga', 'DELETE', '/orgs/other/service_accounts/guild-ci')).status, 404)
  assert.equal((await forge.call('olga', 'DELETE', '/orgs/guild/service_accounts/ann')).status, 404)
})

test('one that became a site administrator gets no token from the owners of its organization', async () => {
  await create('promoted')
  const account = must(await findAccount(forge.db, 'promoted'), 'an account')
  await forge.db.updateTable('account').set({ is_admin: true }).where('id', '=', account.id).execute()
  assert.equal((await issue('promoted')).status, 403)
})

test('it signs in nowhere, even with a password that an administrator or a recovery stored', async () => {
  await create('quiet')
  const account = must(await findAccount(forge.db, 'quiet'), 'an account')
  await setPassword(forge.ctx, account, PASSWORD)
  assert.equal((await forge.call(null, 'GET', '/user', undefined, basic('quiet'))).status, 401)
  const browser = forge.browser()
  await browser.submit('/user/login', 'sign-in', { user_name: 'quiet', password: PASSWORD })
  assert.equal((await browser.get('/user/settings')).status, 303)
  await assert.rejects(forge.browserOf('quiet'), { kind: 'forbidden' })
})

test('the pages of the organization create one and show its token once', async () => {
  const browser = await forge.browserOf('olga')
  const path = '/org/guild/settings/service_accounts'
  const made = await browser.submit(path, 'create', { username: 'by-page', full_name: 'x' })
  assert.equal(made.headers.get('location'), `${path}/by-page`)
  assert.match((await browser.get(path)).text, /by-page/)
  const shown = await browser.submit(`${path}/by-page`, 'token', { name: 'deploy' })
  const token = must(/<code class="secret">(\w{40})<\/code>/.exec(shown.text)?.[1], 'a token')
  const { id } = (await forge.call('olga', 'GET', '/orgs/guild')).body
  // The account is in no team yet, so the organization is known to it only by the restriction.
  assert.deepEqual((await by(token, '/token')).body.restriction.places, [
    { repository_ids: [], owner_ids: [id] },
  ])
  assert.equal((await browser.get('/org/guild/settings/service_accounts/olga')).status, 404)
  assert.equal((await (await forge.browserOf('ann')).get(path)).status, 404)
  assert.equal((await browser.submit(path, 'remove', { username: 'by-page' })).status, 303)
  assert.equal((await by(token, '/token')).status, 401)
})

test('its tokens end with it, and it ends with its organization', async () => {
  await create('short', 'olga', 'other')
  const token = (await issue('short')).body.sha1
  assert.equal((await by(token, '/user')).status, 200)
  assert.equal((await forge.call('olga', 'DELETE', '/orgs/other')).status, 204)
  assert.equal((await by(token, '/user')).status, 401)
  assert.equal(await findAccount(forge.db, 'short'), undefined)
})
