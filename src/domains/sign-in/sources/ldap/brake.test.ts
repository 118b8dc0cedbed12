/** A directory that seems to have lost its people (slapd) closes the forge to none of them, until an administrator confirms. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, startForge } from '#testing'
import { Directory, dnOf, passwordOf } from '#testing/slices/directory'
import { observeSources } from '../metrics.ts'
import { isTooMany, listHalted } from './brake.ts'

const PEOPLE = Array.from({ length: 16 }, (_, i) => `person${i}`)
let forge: Forge
let directory: Directory
let source: number

before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'sources.private_hosts': ['localhost'] } })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  directory = await Directory.start()
  for (const uid of PEOPLE) await directory.addPerson(uid)
  await directory.addGroup('developers', PEOPLE)
  const sent = { name: 'company', secret: directory.secret, ldap: directory.ldap }
  source = (await forge.call('root', 'POST', '/admin/auths', sent)).body.id
  await forge.call('root', 'POST', '/orgs', { username: 'guild' })
  const team = { name: 'devs', permission: 'write', units: ['repo.code'] }
  await forge.call('root', 'POST', '/orgs/guild/teams', team)
  await forge.call('root', 'PUT', `/admin/auths/${source}/mappings`, {
    mappings: [{ group: 'developers', organization: 'guild', team: 'devs' }],
  })
  for (const uid of PEOPLE) {
    const fields = { user_name: uid, password: passwordOf(uid) }
    const { status } = await forge.browser().submit('/user/login/company', 'sign-in', fields)
    assert.equal(status, 303)
  }
})
after(async () => {
  await directory?.[Symbol.asyncDispose]()
  await forge?.[Symbol.asyncDispose]()
})

const at = () => `/admin/auths/${source}`
const filter = (user_filter: string) => forge.call('root', 'PATCH', at(), { ldap: { user_filter } })
const WRONG = '(&(objectClass=inetOrgPerson)(employeeType=staff)(uid=%s))'
const RIGHT = '(&(objectClass=inetOrgPerson)(uid=%s))'

async function check(): Promise<void> {
  forge.advance(60_000)
  await forge.runTask('check_directories')
  await work()
}
async function work(): Promise<void> {
  for (let n = 0; n < 2; n++) {
    await forge.makeJobsDue()
    await forge.runJobs()
  }
}

/** People who may not sign in, and members of the team. */
async function counts(): Promise<{ prohibited: number; members: number }> {
  const { rows } = await sql<{ prohibited: number; members: number }>`
    select (select count(*)::int from account where prohibits_login) as prohibited,
      (select count(*)::int from team_member join team on team.id = team_id where team.name = 'devs') as members`.execute(
    forge.db,
  )
  return rows[0] as { prohibited: number; members: number }
}
const halted = async () => (await forge.call('root', 'GET', at())).body.halted_check

test('a wrong filter prohibits no one and takes no team, and the record, the page and the list say so', async () => {
  await filter(WRONG)
  await check()
  assert.deepEqual(await counts(), { prohibited: 0, members: 16 })
  const { missing, people } = await halted()
  assert.deepEqual([missing, people], [16, 16])
  const browser = await forge.browserOf('root')
  assert.ok((await browser.get(`/-${at()}`)).text.includes('did not find 16 of 16 people'))
  assert.ok((await browser.get('/-/admin/auths')).text.includes('check halted'))
  assert.deepEqual(
    (await listHalted(forge.db)).map(({ name }) => name),
    ['company'],
  )
})

test('a metric counts the sources whose check was halted', async () => {
  observeSources(forge.world)
  assert.match(await forge.world.telemetry.scrape(), /^bloomery_source_checks_halted 1$/m)
})

test('a check within bounds ends it, and removes those who have left', async () => {
  await filter(RIGHT)
  for (const uid of PEOPLE.slice(0, 2)) await directory.remove(dnOf(uid))
  await check()
  assert.equal(await halted(), undefined)
  assert.deepEqual(await counts(), { prohibited: 2, members: 14 })
})

test('people who were removed do not count as missing again', async () => {
  await check()
  assert.equal(await halted(), undefined)
  for (const uid of PEOPLE.slice(2, 12)) await directory.remove(dnOf(uid))
  await check()
  assert.deepEqual(await counts(), { prohibited: 12, members: 4 })
})

test('what an administrator confirms is done once, and no more than was confirmed', async () => {
  for (const uid of PEOPLE.slice(0, 12)) await directory.addPerson(uid)
  await sql`update external_identity set gone_at = null, removed_at = null`.execute(forge.db)
  await sql`update account set prohibits_login = false`.execute(forge.db)
  await directory.addPerson('late')
  await filter(WRONG)
  await check()
  assert.equal((await halted()).missing, 16)
  assert.equal((await forge.call('ann', 'POST', `${at()}/confirm`)).status, 403)
  const browser = await forge.browserOf('root')
  // Another person signs in after the check, so one more is missing than was confirmed.
  await filter(RIGHT)
  const fields = { user_name: 'late', password: passwordOf('late') }
  assert.equal((await forge.browser().submit('/user/login/company', 'sign-in', fields)).status, 303)
  await filter(WRONG)
  assert.equal((await browser.submit(`/-${at()}`, 'confirm', {})).status, 303)
  forge.advance(60_000)
  await check()
  assert.deepEqual([(await counts()).prohibited, (await halted()).missing], [0, 17])
  assert.equal((await forge.call('root', 'POST', `${at()}/confirm`)).status, 204)
  await work()
  assert.equal((await counts()).prohibited, 17)
  assert.equal(await halted(), undefined)
  assert.equal((await forge.call('root', 'POST', `${at()}/confirm`)).status, 422)
})

test('the bounds are ten people and a quarter', () => {
  for (const [missing, people, is] of [
    [0, 0, false],
    [10, 10, false],
    [11, 11, true],
    [11, 43, true],
    [11, 44, false],
    [250, 1_000, false],
    [251, 1_000, true],
  ] as const)
    assert.equal(isTooMany(missing, people), is, `${missing} of ${people}`)
})
