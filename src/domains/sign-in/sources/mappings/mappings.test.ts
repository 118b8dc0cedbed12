/** Groups of a source decide about teams and administrators at every sign-in. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { findAccount } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { HostileProvider } from '#testing/slices/hostile-provider'

let forge: Forge
let provider: HostileProvider
let source: number

before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'sources.private_hosts': ['127.0.0.1'] } })
  await forge.person('root', { is_admin: true })
  provider = await HostileProvider.start()
  const oidc = { issuer: provider.issuer, client_id: 'forge' }
  source = (await forge.call('root', 'POST', '/admin/auths', { name: 'company', oidc })).body.id
  for (const username of ['guild', 'union']) await forge.call('root', 'POST', '/orgs', { username })
  for (const name of ['devs', 'ops', 'free'])
    await forge.call('root', 'POST', '/orgs/guild/teams', { name, permission: 'write', units: ['repo.code'] })
  await forge.call('root', 'POST', '/orgs/union/teams', {
    name: 'all',
    permission: 'read',
    units: ['repo.code'],
  })
})
after(async () => {
  await provider[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const MAPPINGS = [
  { group: 'developers', organization: 'guild', team: 'devs' },
  { group: 'operators', organization: 'guild', team: 'ops' },
  { group: 'developers', organization: 'union', team: 'all' },
  { group: 'chiefs', organization: 'union', team: 'Owners' },
  { group: 'wheel', admin: true },
]
const map = (mappings: readonly object[], id = source) =>
  forge.call('root', 'PUT', `/admin/auths/${id}/mappings`, { mappings })
beforeEach(async () => assert.equal((await map(MAPPINGS)).status, 204))

/** Signs `login` in with these groups; undefined leaves the claim out. */
async function enter(login: string, groups: readonly string[] | undefined) {
  const browser = forge.browser()
  const { headers } = await browser.get('/user/oauth2/company')
  const asked = new URL(headers.get('location') ?? '').searchParams
  provider.nonce = asked.get('nonce') ?? ''
  provider.now = Math.round(forge.ctx.now().getTime() / 1000)
  provider.tricks = {
    claims: { sub: `sub ${login}`, preferred_username: login, groups },
    userinfo: { sub: `sub ${login}` },
  }
  const sent = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '' })
  return browser.get(`/user/oauth2/company/callback?${sent}`)
}

async function teamsOf(login: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select organization.login || '/' || team.name as name from team_member
    join team on team.id = team_member.team_id join account on account.id = team_member.user_id
    join account as organization on organization.id = team.organization_id
    where account.login = ${login} order by 1`.execute(forge.db)
  return rows.map(({ name }) => name)
}
const members = async (org: string) => (await findAccount(forge.db, org))?.members

test('users join the teams of their groups at the first sign-in, and leave them with the group', async () => {
  const before = [await members('guild'), await members('union')]
  await enter('mia', ['developers', 'operators', 'unknown'])
  assert.deepEqual(await teamsOf('mia'), ['guild/devs', 'guild/ops', 'union/all'])
  assert.deepEqual(
    [await members('guild'), await members('union')],
    before.map((it) => Number(it) + 1),
  )
  await enter('mia', ['operators'])
  assert.deepEqual(await teamsOf('mia'), ['guild/ops'])
  assert.deepEqual([await members('guild'), await members('union')], [Number(before[0]) + 1, before[1]])
  await enter('mia', undefined)
  assert.deepEqual(await teamsOf('mia'), [])
  assert.equal(await members('guild'), before[0])
})

test('teams that no mapping names are left alone', async () => {
  await enter('zoe', ['developers'])
  const teams = (await forge.call('root', 'GET', '/orgs/guild/teams')).body
  const free = teams.find(({ name }: { name: string }) => name === 'free')
  await forge.call('root', 'PUT', `/teams/${free.id}/members/zoe`)
  await enter('zoe', [])
  assert.deepEqual(await teamsOf('zoe'), ['guild/free'])
})

test('a group makes administrators, and unmakes only those that it made', async () => {
  const isAdmin = async (login: string) => (await findAccount(forge.db, login))?.is_admin
  await enter('kim', ['wheel'])
  await enter('lee', [])
  await forge.call('root', 'PATCH', '/admin/users/lee', { admin: true })
  assert.deepEqual([await isAdmin('kim'), await isAdmin('lee')], [true, true])
  for (const login of ['kim', 'lee']) await enter(login, [])
  assert.deepEqual([await isAdmin('kim'), await isAdmin('lee')], [false, true])
})

test('the last owner and the last administrator stay', async () => {
  await enter('boss', ['chiefs', 'wheel'])
  await sql`delete from team_member where user_id <> (select id from account where login = 'boss')
    and team_id in (select id from team where level = 'owner' and name = 'Owners'
      and organization_id = (select id from account where login = 'union'))`.execute(forge.db)
  await sql`update account set is_admin = false where login <> 'boss'`.execute(forge.db)
  await enter('boss', [])
  assert.deepEqual(await teamsOf('boss'), ['union/Owners'])
  assert.equal((await findAccount(forge.db, 'boss'))?.is_admin, true)
  await sql`update account set is_admin = true where login = 'root'`.execute(forge.db)
})

test('a user whom an organization has blocked does not join it', async () => {
  await enter('troll', [])
  await forge.call('root', 'PUT', '/orgs/guild/blocks/troll')
  await enter('troll', ['developers'])
  assert.deepEqual(await teamsOf('troll'), ['union/all'])
})

test('a sign-in that is refused changes no team', async () => {
  await enter('ida', ['developers'])
  await forge.call('root', 'PATCH', '/admin/users/ida', { prohibit_login: true })
  assert.equal((await enter('ida', ['wheel'])).status, 403)
  assert.deepEqual(await teamsOf('ida'), ['guild/devs', 'union/all'])
  assert.equal((await findAccount(forge.db, 'ida'))?.is_admin, false)
})

test('mappings name teams that exist, and a team follows one source only', async () => {
  assert.equal((await map([{ group: 'x', organization: 'guild', team: 'none' }])).status, 422)
  assert.equal((await map([{ group: 'x' }])).status, 422)
  const oidc = { issuer: 'https://other.example.test', client_id: 'forge' }
  const { body } = await forge.call('root', 'POST', '/admin/auths', { name: 'other', oidc })
  assert.equal((await map(MAPPINGS.slice(0, 1), body.id)).status, 422)
  assert.equal((await map([{ group: 'wheel', admin: true }], body.id)).status, 204)
})

test('an administrator edits mappings as lines of a page', async () => {
  const browser = await forge.browserOf('root')
  const page = `/-/admin/auths/${source}`
  const shown = (await browser.get(page)).text
  assert.ok(shown.includes('developers = guild/devs\n'))
  const lines = 'cn=a,ou=b = guild/ops\r\n\r\nwheel = @admin'
  assert.equal((await browser.submit(page, 'map', { mappings: lines })).status, 303)
  const { body } = await forge.call('root', 'GET', `/admin/auths/${source}/mappings`)
  assert.deepEqual(body.mappings, [
    { group: 'cn=a,ou=b', organization: 'guild', team: 'ops' },
    { group: 'wheel', admin: true },
  ])
  assert.equal((await browser.submit(page, 'map', { mappings: 'wheel' })).status, 422)
})

test('a sign-in takes the same number of statements for two hundred mappings as for five', async () => {
  const count = () => forge.countQueries(() => enter('mia', []))
  await enter('mia', [])
  const few = await count()
  const many = Array.from({ length: 200 }, (_, i) => ({
    group: `g${i}`,
    organization: 'guild',
    team: 'devs',
  }))
  await map(many)
  await enter('mia', [])
  assert.equal(await count(), few)
})
