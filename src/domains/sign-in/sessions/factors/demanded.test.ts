/** A second factor that the site or an organization demands. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setPassword } from '#domains/people/users'
import { type Forge, GitClient, startForge } from '#testing'

const PASSWORD = 'a long password'
const MESSAGE = /two-factor authentication is required/

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const login of ['olga', 'ann', 'bob'])
    await setPassword(forge.ctx, await forge.person(login), PASSWORD)
  await forge.call('olga', 'POST', '/orgs', { username: 'guild' })
  for (const [name, isPrivate] of [
    ['lab', true],
    ['site', false],
  ] as const)
    await forge.call('olga', 'POST', '/orgs/guild/repos', {
      name,
      private: isPrivate,
      auto_init: true,
      default_branch: 'main',
    })
  const units_map = {
    'repo.code': 'write',
    'repo.issues': 'write',
    'repo.pulls': 'write',
    'repo.packages': 'write',
  }
  const team = {
    name: 'all',
    permission: 'write',
    includes_all_repositories: true,
    can_create_org_repo: true,
    units_map,
  }
  const { body } = await forge.call('olga', 'POST', '/orgs/guild/teams', team)
  for (const login of ['ann', 'bob']) await forge.call('olga', 'PUT', `/teams/${body.id}/members/${login}`)
})
after(() => forge[Symbol.asyncDispose]())

/** A row as the page writes it after the second factor was confirmed. */
async function enroll(login: string): Promise<void> {
  const account_id = await idOf(login)
  const row = { account_id, sealed_secret: randomUUID(), created_at: forge.ctx.now() }
  await forge.db.insertInto('account_totp').values(row).execute()
}
async function drop(login: string): Promise<void> {
  await forge.db
    .deleteFrom('account_totp')
    .where('account_id', '=', await idOf(login))
    .execute()
}
async function idOf(login: string): Promise<number> {
  const { id } = await forge.db
    .selectFrom('account')
    .select('id')
    .where('login', '=', login)
    .executeTakeFirstOrThrow()
  return id
}

const found = async (login: string) =>
  (await forge.call(login, 'GET', '/repos/search?limit=50')).body.data
    .map((it: { full_name: string }) => it.full_name)
    .sort()

test('an owner demands a second factor only after setting one up', async () => {
  const edit = () => forge.call('olga', 'PATCH', '/orgs/guild', { requires_second_factor: true })
  const refused = await edit()
  assert.equal(refused.status, 422)
  assert.match(refused.body.message, /your own account first/)
  await enroll('olga')
  assert.equal((await edit()).body.requires_second_factor, true)
  assert.equal((await forge.call('olga', 'GET', '/repos/guild/lab')).status, 200)
})

for (const [method, path, body] of [
  ['GET', '/repos/guild/lab', undefined],
  ['GET', '/repos/guild/lab/issues', undefined],
  ['GET', '/repos/guild/lab/contents', undefined],
  ['POST', '/repos/guild/site/contents/a.txt', { content: 'YQ==', message: 'm' }],
  ['GET', '/orgs/guild', undefined],
  ['GET', '/orgs/guild/members', undefined],
  ['POST', '/orgs/guild/repos', { name: 'new' }],
] as const)
  test(`a member without a second factor gets 403 with the reason for ${method} ${path}`, async () => {
    const { status, body: answer } = await forge.call('ann', method, path, body)
    assert.equal(status, 403)
    assert.match(answer.message, MESSAGE)
  })

test('a member without a second factor neither finds, fetches nor pushes, until one is set up, and not after it is dropped', async () => {
  await using client = await GitClient.open(forge, 'ann', 'guild/lab')
  const pushes = async () =>
    (await client.run('push', 'origin', 'HEAD:refs/heads/topic', '--force')).code === 0
  const fetches = async () => (await client.run('fetch', '--quiet', 'origin')).code === 0
  await client.commit('a.txt', 'a')
  assert.deepEqual(await found('ann'), ['guild/site'])
  assert.deepEqual([await fetches(), await pushes()], [false, false])
  assert.equal((await forge.call('ann', 'GET', '/repos/issues/search')).status, 200)
  const packages = await fetch(`${forge.base}/api/packages/guild/generic/x/1/a`, {
    method: 'PUT',
    body: 'x',
    headers: { authorization: `token ${forge.tokenOf('ann')}` },
  })
  assert.equal(packages.status, 401)
  await enroll('ann')
  assert.deepEqual(await found('ann'), ['guild/lab', 'guild/site'])
  assert.deepEqual([await fetches(), await pushes()], [true, true])
  assert.equal((await forge.call('ann', 'GET', '/orgs/guild')).status, 200)
  await drop('ann')
  assert.deepEqual([await fetches(), await pushes()], [false, false])
  assert.equal((await forge.call('ann', 'GET', '/repos/guild/lab')).status, 403)
})

test('a member without a second factor is not notified of a private repository', async () => {
  const { number } = (
    await forge.call('olga', 'POST', '/repos/guild/lab/issues', { title: 'x', body: 'for @bob' })
  ).body
  await forge.runJobs()
  assert.ok(number > 0)
  assert.deepEqual((await forge.call('bob', 'GET', '/notifications')).body, [])
})

test('a stranger of the organization is asked for nothing', async () => {
  await forge.person('eve')
  assert.equal((await forge.call('eve', 'GET', '/repos/guild/site')).status, 200)
  assert.equal((await forge.call('eve', 'GET', '/repos/guild/lab')).status, 404)
  assert.equal((await forge.call('eve', 'GET', '/orgs/guild')).status, 200)
})

test('the settings page of the organization demands the factor', async () => {
  const browser = await forge.browserOf('olga')
  assert.match((await browser.get('/org/guild/settings')).text, /Require two-factor authentication/)
  const facts = { full_name: '', email: '', description: '', website: '', location: '', visibility: 'public' }
  assert.equal((await browser.submit('/org/guild/settings', 'facts', facts)).status, 303)
  assert.equal((await forge.call('olga', 'GET', '/orgs/guild')).body.requires_second_factor, undefined)
  assert.equal((await forge.call('ann', 'GET', '/repos/guild/lab')).status, 200)
})

test('a site that demands one lets its users do nothing but set it up', async () => {
  await using site = await startForge({
    config: { 'log.level': 'silent', 'sign_in.requires_second_factor': true },
  })
  const kim = await site.person('kim')
  await setPassword(site.ctx, kim, PASSWORD)
  const basic = { authorization: `Basic ${Buffer.from(`kim:${PASSWORD}`).toString('base64')}` }
  for (const headers of [basic, { authorization: `token ${site.tokenOf('kim')}` }]) {
    const { status, body } = await site.call(null, 'GET', '/user', undefined, headers)
    assert.equal(status, 403)
    assert.match(body.message, MESSAGE)
  }
  const browser = await site.browserOf('kim')
  for (const path of ['/', '/user/settings', '/-/admin', '/user/settings/applications']) {
    const { status, headers } = await browser.get(path)
    assert.deepEqual([status, headers.get('location')], [303, '/user/settings/security'], path)
  }
  assert.equal(
    (await browser.submit('/user/settings/applications', 'token', { name: 'x', 'scope.user': 'write' }))
      .status,
    403,
  )
  const page = await browser.get('/user/settings/security')
  assert.equal(page.status, 200)
  const row = { account_id: kim.id, sealed_secret: randomUUID(), created_at: site.ctx.now() }
  await site.db.insertInto('account_totp').values(row).execute()
  assert.equal((await browser.get('/user/settings')).status, 200)
  assert.equal((await site.call('kim', 'GET', '/user')).status, 200)
  assert.equal((await site.call(null, 'GET', '/version')).status, 200)
})
