/** Sign-in with a directory (slapd): people, passwords, groups, and what becomes of accounts whose people are gone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { issueToken } from '#domains/code/keys'
import { findAccount } from '#domains/people/users'
import { must } from '#platform/must'
import { type Forge, startForge } from '#testing'
import { BASE, Directory, dnOf, passwordOf } from '#testing/slices/directory'

let forge: Forge
let directory: Directory
let source: number

before(async () => {
  forge = await startForge({
    config: { 'log.level': 'silent', 'sources.private_hosts': ['localhost', '127.0.0.1'] },
  })
  await forge.person('root', { is_admin: true })
  directory = await Directory.start()
  for (const uid of ['mia', 'zoe', 'ida', 'kim', 'tom'])
    await directory.addPerson(uid, `mail: ${uid}@company.test\n`)
  await directory.addGroup('developers', ['mia', 'zoe', 'ida', 'kim'])
  await directory.addGroup('wheel', ['zoe'])
  const added = await forge.call('root', 'POST', '/admin/auths', {
    name: 'company',
    secret: directory.secret,
    ldap: directory.ldap,
  })
  source = added.body.id
  await forge.call('root', 'POST', '/orgs', { username: 'guild' })
  const team = { name: 'devs', permission: 'write', units: ['repo.code'] }
  await forge.call('root', 'POST', '/orgs/guild/teams', team)
  await forge.call('root', 'PUT', `/admin/auths/${source}/mappings`, {
    mappings: [
      { group: 'developers', organization: 'guild', team: 'devs' },
      { group: 'wheel', admin: true },
    ],
  })
})
after(async () => {
  await directory[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

type Browser = ReturnType<Forge['browser']>
const signedIn = async (browser: Browser) => (await browser.get('/user/settings')).status === 200
const edit = (ldap: object) => forge.call('root', 'PATCH', `/admin/auths/${source}`, { ldap })

async function enter(name: string, password = passwordOf(name)) {
  const browser = forge.browser()
  const sent = { user_name: name, password }
  const { status, headers, text } = await browser.submit('/user/login/company', 'sign-in', sent)
  return { browser, status, to: headers.get('location'), text, isIn: await signedIn(browser) }
}

async function teamsOf(login: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select team.name from team_member
    join team on team.id = team_id join account on account.id = user_id where login = ${login}`.execute(
    forge.db,
  )
  return rows.map(({ name }) => name)
}

async function check(): Promise<void> {
  forge.advance(60_000)
  await forge.runTask('check_directories')
  await forge.makeJobsDue()
  await forge.runJobs()
  await forge.makeJobsDue()
  await forge.runJobs()
}

test('a person of the directory signs in by name and password, gets an account and the teams of their groups', async () => {
  assert.ok((await forge.browser().get('/user/login')).text.includes('/user/login/company'))
  const entered = await enter('mia')
  assert.deepEqual([entered.status, entered.to, entered.isIn], [303, '/', true])
  const mia = await findAccount(forge.db, 'mia')
  assert.deepEqual([mia?.email, mia?.full_name, mia?.source_id], ['mia@company.test', 'mia Example', source])
  assert.deepEqual(await teamsOf('mia'), ['devs'])
  await enter('zoe')
  assert.equal((await findAccount(forge.db, 'zoe'))?.is_admin, true)
})

test('StartTLS works as LDAPS does', async () => {
  await edit({ port: directory.plainPort, security: 'starttls' })
  assert.ok((await enter('mia')).isIn)
  await edit(directory.ldap)
})

for (const [what, name, password] of [
  ['a wrong password', 'mia', 'wrong'],
  ['an empty password', 'mia', ''],
  ['an unknown name', 'nobody', 'any'],
  ['an empty name', '', 'any'],
  ['a wildcard', '*', passwordOf('mia')],
  ['a prefix', 'mi*', passwordOf('mia')],
  ['a filter in the name', 'mia)(objectClass=*', passwordOf('mia')],
  ['a filter that is always true', '*)(|(uid=*', passwordOf('mia')],
  ['an escaped name', '\\6dia', passwordOf('mia')],
  ['a NUL in the name', 'mia\0', passwordOf('mia')],
  ['the password of another user', 'zoe', passwordOf('mia')],
] as const)
  test(`${what} is refused`, async () => {
    const { status, isIn } = await enter(name, password)
    assert.deepEqual([status, isIn], [422, false])
  })

test('a name that two entries have is refused', async () => {
  await directory.add(
    `dn: ou=more,ou=people,${BASE}\nobjectClass: organizationalUnit\nou: more\n\ndn: uid=tom,ou=more,ou=people,${BASE}\nobjectClass: inetOrgPerson\nuid: tom\ncn: Tom\nsn: Tom\nuserPassword: ${passwordOf('tom')}\n`,
  )
  assert.deepEqual([(await enter('tom')).status, await findAccount(forge.db, 'tom')], [422, undefined])
})

test('a reference to another directory is not followed', async () => {
  await directory.change(
    `dn: cn=elsewhere,ou=people,${BASE}\nchangetype: add\nobjectClass: referral\nobjectClass: extensibleObject\ncn: elsewhere\nref: ldap://169.254.169.254/uid=eve\n`,
    ['-M'],
  )
  assert.ok((await enter('mia')).isIn)
  assert.equal((await enter('eve', 'any')).status, 422)
  assert.equal((await enter('elsewhere', 'any')).status, 422)
})

for (const [what, ldap] of [
  ['a certificate for another name', { host: '127.0.0.1' }],
  ['a certificate of an unknown authority', { ca_certificate: '' }],
] as const)
  test(`a directory with ${what} gets no password`, async () => {
    // No account may be linked yet, or the host could not be changed.
    const { id } = (
      await forge.call('root', 'POST', '/admin/auths', {
        name: 'odd',
        secret: directory.secret,
        ldap: { ...directory.ldap, ...ldap },
      })
    ).body
    const sent = { user_name: 'kim', password: passwordOf('kim') }
    assert.equal((await forge.browser().submit('/user/login/odd', 'sign-in', sent)).status, 503)
    await forge.call('root', 'DELETE', `/admin/auths/${id}`)
  })

test('the same name at another entry is another person', async () => {
  await enter('ida')
  await directory.remove(dnOf('ida'))
  await directory.addPerson('ida', 'mail: ida@company.test\n')
  const { to, isIn } = await enter('ida')
  assert.match(to ?? '', /^\/user\/link_account/)
  assert.equal(isIn, false)
})

test('a user who was removed from the directory is refused everywhere after the next check, until the entry returns', async () => {
  const { browser } = await enter('kim')
  const kim = must(await findAccount(forge.db, 'kim'), 'kim')
  const { token } = await issueToken(forge.ctx, kim, { name: 'test', scopes: ['all'] })
  const byToken = async () => {
    const headers = { authorization: `token ${token}` }
    return (await forge.call(null, 'GET', '/user', undefined, headers)).status
  }
  await directory.move('kim', 'people', 'groups')
  assert.deepEqual([await signedIn(browser), await byToken()], [true, 200])
  await check()
  assert.deepEqual([await signedIn(browser), await byToken()], [false, 403])
  assert.equal((await enter('kim')).status, 422)
  assert.deepEqual(await teamsOf('kim'), [])
  assert.equal((await findAccount(forge.db, 'kim'))?.prohibits_login, true)
  assert.equal((await findAccount(forge.db, 'mia'))?.prohibits_login, false)
  await directory.move('kim', 'groups', 'people')
  await check()
  assert.equal((await findAccount(forge.db, 'kim'))?.prohibits_login, false)
  assert.ok((await enter('kim')).isIn)
})

test('a check follows groups, and leaves teams alone when the directory does not answer', async () => {
  await enter('mia')
  await directory.change(
    `dn: cn=developers,ou=groups,${BASE}\nchangetype: modify\ndelete: member\nmember: ${dnOf('mia')}\n`,
  )
  await edit({ base_dn: `ou=missing,${BASE}` })
  await check()
  assert.deepEqual(await teamsOf('mia'), ['devs'])
  assert.equal((await findAccount(forge.db, 'mia'))?.prohibits_login, false)
  await edit(directory.ldap)
  await check()
  assert.deepEqual(await teamsOf('mia'), [])
})

test('the prohibition of an administrator outlasts the return of a person', async () => {
  await edit({ user_filter: '(&(objectClass=inetOrgPerson)(!(uid=zoe))(uid=%s))' })
  await check()
  assert.equal((await findAccount(forge.db, 'zoe'))?.prohibits_login, true)
  await forge.call('root', 'PATCH', '/admin/users/zoe', { prohibit_login: true })
  await edit(directory.ldap)
  await check()
  assert.equal((await findAccount(forge.db, 'zoe'))?.prohibits_login, true)
  assert.equal((await enter('zoe')).status, 422)
})

test('guesses are limited by network', async () => {
  forge.advance(3_600_000)
  for (let n = 0; n < 20; n++) assert.equal((await enter('guessed', `guess ${n}`)).status, 422)
  const { status, text } = await enter('guessed', 'guess')
  assert.ok(status === 429 && text.includes('too many failed sign-ins'))
})
