/** Sign-in with an OpenID provider (`oidc-provider`): accounts, links between accounts and identities, and their limits. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createUser, findAccount } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { OpenIdProvider } from '#testing/slices/openid'

const PASSWORD = 'a password of the forge'
const verified = (email: string) => ({ email, email_verified: true })
let forge: Forge
let provider: OpenIdProvider
let source: number

before(async () => {
  forge = await startForge({
    config: { 'log.level': 'silent', 'sources.private_hosts': ['127.0.0.1'] },
  })
  await forge.person('root', { is_admin: true })
  provider = await OpenIdProvider.start('company', {
    mia: { ...verified('mia@company.test'), name: 'Mia Meyer' },
    'subject-7': { preferred_username: 'ann', ...verified('ann@elsewhere.test') },
    lookalike: { ...verified('victim@example.test') },
    claims: { email: 'claims@company.test', email_verified: false },
    mine: { preferred_username: 'nobody-else' },
  })
  const { body } = await forge.call('root', 'POST', '/admin/auths', {
    name: 'company',
    secret: provider.secret,
    oidc: provider.oidc,
  })
  source = body.id
})
after(async () => {
  await provider[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

type Browser = ReturnType<Forge['browser']>
const START = '/user/oauth2/company'
const signedIn = async (browser: Browser) => (await browser.get('/user/settings')).status === 200
const edit = (patch: object) => forge.call('root', 'PATCH', `/admin/auths/${source}`, patch)

async function personWithPassword(username: string): Promise<Browser> {
  const input = {
    username,
    email: `${username}@example.test`,
    password: PASSWORD,
    must_change_password: false,
  }
  await createUser(forge.ctx, input)
  return byPassword(username)
}

async function byPassword(username: string): Promise<Browser> {
  const browser = forge.browser()
  await browser.submit('/user/login', 'sign-in', { user_name: username, password: PASSWORD })
  return browser
}

test('the first sign-in creates an account without a password, and the next one finds it by its subject', async () => {
  const browser = forge.browser()
  const page = await browser.get('/user/login?redirect_to=%2Fexplore%2Frepos')
  assert.ok(page.text.includes('/user/oauth2/company?redirect_to=%2Fexplore%2Frepos'))
  const entered = await provider.signIn(browser, 'mia', `${START}?redirect_to=%2Fexplore%2Frepos`)
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/explore/repos'])
  assert.ok(await signedIn(browser))
  const mia = await findAccount(forge.db, 'mia')
  assert.deepEqual(
    [mia?.email, mia?.full_name, mia?.source_id, mia?.login_name],
    ['mia@company.test', 'Mia Meyer', source, 'mia'],
  )
  await forge.call('root', 'POST', '/admin/users/mia/rename', { new_username: 'mia2' })
  const again = forge.browser()
  await provider.signIn(again, 'mia', START)
  assert.ok((await again.get('/user/settings')).text.includes('mia2'))
  assert.equal(await findAccount(forge.db, 'mia'), undefined)
})

test('an address that the provider has not verified is not taken over', async () => {
  await provider.signIn(forge.browser(), 'claims', START)
  const account = await findAccount(forge.db, 'claims')
  assert.match(account?.email ?? '', /noreply/)
  const { rows } = await sql`select from account_email where account_id = ${account?.id}`.execute(forge.db)
  assert.equal(rows.length, 0)
})

test('the name or the verified address of another account opens no account', async () => {
  await personWithPassword('ann')
  await personWithPassword('victim')
  for (const login of ['subject-7', 'lookalike']) {
    const browser = forge.browser()
    const { headers } = await provider.signIn(browser, login, START)
    assert.match(headers.get('location') ?? '', /^\/user\/link_account/)
    assert.ok(!(await signedIn(browser)))
  }
})

test('a user whose address is taken chooses a name, and gets a new account without the address', async () => {
  const browser = forge.browser()
  await provider.signIn(browser, 'lookalike', START)
  assert.equal((await browser.submit('/user/link_account', 'register', { user_name: 'victim' })).status, 422)
  assert.equal(
    (await browser.submit('/user/link_account', 'register', { user_name: 'newcomer' })).status,
    303,
  )
  assert.ok(await signedIn(browser))
  assert.match((await findAccount(forge.db, 'newcomer'))?.email ?? '', /noreply/)
})

test('an identity is linked to an account after the sign-in of that account, and unlinked while another way in is left', async () => {
  const browser = forge.browser()
  await provider.signIn(browser, 'subject-7', START)
  assert.equal((await browser.submit('/user/link_account', 'link', {})).status, 401)
  await browser.submit('/user/login', 'sign-in', { user_name: 'ann', password: PASSWORD })
  assert.ok((await browser.get('/user/link_account')).text.includes('Link to ann'))
  assert.equal((await browser.submit('/user/link_account', 'link', {})).status, 303)
  const linked = forge.browser()
  await provider.signIn(linked, 'subject-7', START)
  assert.ok((await linked.get('/user/settings/account')).text.includes('ann@example.test'))
  const page = (await linked.get('/user/settings/security')).text
  const [, id = ''] = /name="id" value="(\d+)">.*Unlink/s.exec(page) ?? []
  assert.equal((await linked.submit('/user/settings/security', 'unlink', { id })).status, 303)
  const unlinked = forge.browser()
  await provider.signIn(unlinked, 'subject-7', START)
  assert.ok(!(await signedIn(unlinked)))
})

test('the last way in cannot be unlinked, and the identity of another user cannot either', async () => {
  const browser = forge.browser()
  await provider.signIn(browser, 'mia', START)
  const { rows } = await sql<{ id: string }>`select external_identity.id from external_identity
    join account on account.id = account_id where account.login = 'mia2'`.execute(forge.db)
  const id = String(rows[0]?.id)
  const refused = await browser.submit('/user/settings/security', 'unlink', { id })
  assert.ok(refused.status === 422 && refused.text.includes('only way to sign in'))
  assert.equal(
    (await (await byPassword('ann')).submit('/user/settings/security', 'unlink', { id })).status,
    422,
  )
  assert.ok((await provider.signIn(forge.browser(), 'mia', START)).headers.get('location') === '/')
})

test('a signed-in user is asked before an identity is linked, and is not signed in to another account', async () => {
  const ann = await byPassword('ann')
  const { headers } = await provider.signIn(ann, 'mine', START)
  assert.match(headers.get('location') ?? '', /^\/user\/link_account/)
  assert.equal((await provider.signIn(ann, 'mia', START)).status, 403)
  assert.ok((await ann.get('/user/settings/account')).text.includes('ann@example.test'))
})

for (const [what, facts] of [
  ['prohibited', { prohibits_login: true }],
  ['inactive', { is_active: false }],
  ['suspended', { is_suspended: true, prohibits_login: true }],
] as const)
  test(`the identity of an account that is ${what} is refused`, async () => {
    const before = { prohibits_login: false, is_active: true, is_suspended: false }
    const update = (patch: object) =>
      forge.db.updateTable('account').set(patch).where('login', '=', 'mia2').execute()
    await update(facts)
    const browser = forge.browser()
    assert.equal((await provider.signIn(browser, 'mia', START)).status, 403)
    assert.ok(!(await signedIn(browser)))
    await update(before)
  })

test('a second factor that the account has is required after its provider', async () => {
  const account = await findAccount(forge.db, 'mia2')
  await sql`insert into account_totp (account_id, sealed_secret, created_at)
    values (${account?.id}, ${forge.world.seal.seal('totp', 'JBSWY3DPEHPK3PXP')}, now())`.execute(forge.db)
  const browser = forge.browser()
  const { headers } = await provider.signIn(browser, 'mia', START)
  assert.match(headers.get('location') ?? '', /^\/user\/two_factor/)
  assert.ok(!(await signedIn(browser)))
  await sql`delete from account_totp`.execute(forge.db)
})

test('two first sign-ins at once create one account', async () => {
  const browsers = [forge.browser(), forge.browser(), forge.browser()]
  await Promise.all(browsers.map((it) => provider.signIn(it, 'twin', START)))
  assert.deepEqual(await Promise.all(browsers.map(signedIn)), [true, true, true])
  const { rows } = await sql`select from external_identity where subject = 'twin'`.execute(forge.db)
  assert.equal(rows.length, 1)
})

test('a user without a password confirms a dangerous form with the provider', async () => {
  const browser = forge.browser()
  await provider.signIn(browser, 'mia', START)
  const page = '/user/settings/security'
  const submit = () => browser.submit(page, 'passkey-begin', { name: 'laptop' })
  assert.equal((await submit()).status, 200)
  forge.advance(601_000)
  const asked = await submit()
  assert.ok(
    asked.status === 403 && asked.text.includes(`/user/confirm?redirect_to=${encodeURIComponent(page)}`),
  )
  assert.ok((await browser.get('/user/confirm')).text.includes('Confirm with company'))
  const { headers } = await provider.signIn(
    browser,
    'mia',
    `${START}?redirect_to=${encodeURIComponent(page)}`,
  )
  assert.equal(headers.get('location'), page)
  assert.equal((await submit()).status, 200)
})

test('a source without registration signs in linked accounts only', async () => {
  await edit({ may_register: false })
  const browser = forge.browser()
  await provider.signIn(browser, 'mine', START)
  assert.ok(!(await browser.get('/user/link_account')).text.includes('name="user_name"'))
  const forced = await browser.submit('/user/link_account', 'register', { user_name: 'forced' })
  assert.equal(forced.status, 422)
  assert.equal(await findAccount(forge.db, 'forced'), undefined)
  await provider.signIn(browser, 'mia', START)
  assert.ok(await signedIn(browser))
  await edit({ may_register: true })
})

test('a disabled source is on no page, and an answer that arrives afterwards is refused', async () => {
  const browser = forge.browser()
  await edit({ is_enabled: false })
  assert.ok(!(await browser.get('/user/login')).text.includes('/user/oauth2/company'))
  assert.equal((await browser.get(START)).status, 404)
  await edit({ is_enabled: true })
})

test('a source with accounts is neither deleted nor pointed at another issuer', async () => {
  assert.equal((await forge.call('root', 'DELETE', `/admin/auths/${source}`)).status, 422)
  const moved = await edit({ oidc: { issuer: 'https://other.example.test' } })
  assert.equal(moved.status, 422)
})

test('an account whose source is the only way in has no password, here and over HTTP Basic; tokens still work', async () => {
  const browser = await personWithPassword('olga')
  await provider.signIn(browser, 'mine', START)
  await browser.submit('/user/link_account', 'link', {})
  const token = (
    await forge.call(null, 'POST', '/users/olga/tokens', { name: 't', scopes: ['all'] }, basic('olga'))
  ).body.sha1
  await edit({ is_only_way: true })
  assert.equal((await forge.call(null, 'GET', '/user', undefined, basic('olga'))).status, 401)
  const refused = await forge
    .browser()
    .submit('/user/login', 'sign-in', { user_name: 'olga', password: PASSWORD })
  assert.equal(refused.status, 422)
  assert.equal(
    (await forge.call(null, 'GET', '/user', undefined, { authorization: `token ${token}` })).status,
    200,
  )
  assert.equal((await forge.call(null, 'GET', '/user', undefined, basic('olga', token))).status, 200)
  const again = forge.browser()
  await provider.signIn(again, 'mine', START)
  assert.ok(await signedIn(again))
  await edit({ is_only_way: false })
  assert.equal((await forge.call(null, 'GET', '/user', undefined, basic('olga'))).status, 200)
})

function basic(name: string, password = PASSWORD) {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` }
}
