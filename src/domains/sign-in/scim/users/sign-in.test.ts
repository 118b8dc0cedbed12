/** A person of SCIM and a person who signs in with the source (`oidc-provider`) are one account. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findAccount } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { OpenIdProvider } from '#testing/slices/openid'
import { ScimTestClient } from '#testing/slices/scim'

const START = '/user/oauth2/company'
let forge: Forge
let provider: OpenIdProvider
let scim: ScimTestClient
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'sources.private_hosts': ['127.0.0.1'] } })
  await forge.person('root', { is_admin: true })
  provider = await OpenIdProvider.start('company', {
    'sub-mia': { preferred_username: 'someone', groups: ['Operators'] },
    'sub-ned': { preferred_username: 'ned' },
  })
  const { body } = await forge.call('root', 'POST', '/admin/auths', {
    name: 'company',
    secret: provider.secret,
    oidc: provider.oidc,
  })
  scim = await ScimTestClient.for(forge, 'root', body.id)
  await forge.call('root', 'POST', '/orgs', { username: 'works' })
  for (const name of ['dev', 'ops'])
    await forge.call('root', 'POST', '/orgs/works/teams', { name, permission: 'read', units: ['repo.code'] })
  await forge.call('root', 'PUT', `/admin/auths/${body.id}/mappings`, {
    mappings: [
      { group: 'Developers', organization: 'works', team: 'dev' },
      { group: 'Operators', organization: 'works', team: 'ops' },
    ],
  })
})
after(async () => {
  await provider[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const shownName = async (subject: string) => {
  const browser = forge.browser()
  await provider.signIn(browser, subject, START)
  const page = await browser.get('/user/settings')
  return { status: page.status, browser }
}

async function teamsOf(login: string): Promise<string[]> {
  const account = await findAccount(forge.db, login)
  const rows = await forge.db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team.name')
    .where('team_member.user_id', '=', account?.id ?? 0)
    .execute()
  return rows.map(({ name }) => name)
}

test('the first sign-in opens the account that SCIM created for the subject', async () => {
  const { id } = await scim.user('mia@corp.example', { externalId: 'sub-mia' })
  assert.equal((await shownName('sub-mia')).status, 200)
  assert.equal(await findAccount(forge.db, 'someone'), undefined)
  const mia = await findAccount(forge.db, 'mia')
  assert.notEqual(mia?.last_login_at, null)
  await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
  assert.notEqual((await shownName('sub-mia')).status, 200)
  await scim.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
  assert.equal((await shownName('sub-mia')).status, 200)
})

test('once clients provision groups, the groups of a sign-in do not count', async () => {
  assert.deepEqual(await teamsOf('mia'), ['ops'])
  const filter = encodeURIComponent('externalId eq "sub-mia"')
  const { body } = await scim.call('GET', `/Users?filter=${filter}`)
  const members = [{ value: body.Resources[0].id }]
  await scim.call('POST', '/Groups', { displayName: 'Developers', members })
  assert.deepEqual(await teamsOf('mia'), ['dev'])
  await shownName('sub-mia')
  assert.deepEqual(await teamsOf('mia'), ['dev'])
})

test('a person who signed in before is bound by the subject, whatever the userName', async () => {
  assert.equal((await shownName('sub-ned')).status, 200)
  const { id } = await scim.user('completely-else', { externalId: 'sub-ned' })
  assert.equal(await findAccount(forge.db, 'completely-else'), undefined)
  await scim.call('DELETE', `/Users/${id}`)
  assert.notEqual((await shownName('sub-ned')).status, 200)
  assert.equal((await findAccount(forge.db, 'ned'))?.prohibits_login, true)
})
