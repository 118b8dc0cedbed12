/** A site that demands a second factor, with sources of each kind that are the only way in: neither opens a way around the other. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { generate } from 'otplib'
import { findAccount, setPassword } from '#domains/people/users'
import { must } from '#platform/must'
import { type Forge, startForge } from '#testing'
import { Directory, passwordOf } from '#testing/slices/directory'
import { OpenIdProvider } from '#testing/slices/openid'
import { deliver } from '#testing/slices/saml'
import { SamlAnswers } from '#testing/slices/saml-answers'

type Browser = ReturnType<Forge['browser']>
/** A started source: its settings, and how `mia` signs in with it. Returns where the browser goes next. */
interface Started extends AsyncDisposable {
  readonly settings: object
  readonly signIn: (browser: Browser) => Promise<string | null>
}

const PASSWORD = 'a password of the forge'
const SECURITY = '/user/settings/security'
let forge: Forge

before(async () => {
  const config = {
    'log.level': 'silent' as const,
    'sources.private_hosts': ['127.0.0.1', 'localhost'],
    'sign_in.requires_second_factor': true,
    // Nodes open what another one has sealed.
    'secrets.keys': randomBytes(32).toString('hex'),
  }
  forge = await startForge({ nodes: 3, config })
  const root = await forge.person('root', { is_admin: true })
  const row = { account_id: root.id, sealed_secret: randomUUID(), created_at: forge.ctx.now() }
  await forge.db.insertInto('account_totp').values(row).execute()
})
after(() => forge?.[Symbol.asyncDispose]())

async function startOidc(): Promise<Started> {
  const provider = await OpenIdProvider.start('oidc', { mia: { preferred_username: 'mia-oidc' } })
  const signIn = async (browser: Browser) =>
    (await provider.signIn(browser, 'mia', '/user/oauth2/oidc')).headers.get('location')
  const settings = { secret: provider.secret, oidc: provider.oidc }
  return { settings, signIn, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() }
}

async function startLdap(): Promise<Started> {
  const directory = await Directory.start()
  await directory.addPerson('mia-ldap')
  const fields = { user_name: 'mia-ldap', password: passwordOf('mia-ldap') }
  const signIn = async (browser: Browser) =>
    (await browser.submit('/user/login/ldap', 'sign-in', fields)).headers.get('location')
  const settings = { secret: directory.secret, ldap: directory.ldap }
  return { settings, signIn, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

async function startSaml(): Promise<Started> {
  const provider = new SamlAnswers()
  const home = 'http://forge.test/user/saml/saml'
  const signIn = async (browser: Browser) => {
    const at = new URL((await browser.get('/user/saml/saml')).headers.get('location') ?? '')
    const request = Buffer.from(at.searchParams.get('SAMLRequest') ?? '', 'base64')
    const [, id = ''] = / ID="(\w+)"/.exec(inflateRawSync(request).toString()) ?? []
    const asked = { id, consumer: `${home}/acs`, audience: `${home}/metadata`, now: forge.ctx.now() }
    const xml = provider.write(asked, { nameId: 'mia', attributes: { uid: ['mia-saml'] } })
    const form = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') })
    return (await browser.get(await deliver(browser, '/user/saml/saml/acs', form))).headers.get('location')
  }
  return { settings: { saml: provider.saml }, signIn, [Symbol.asyncDispose]: async () => undefined }
}

for (const [kind, start] of [
  ['oidc', startOidc],
  ['ldap', startLdap],
  ['saml', startSaml],
] as const)
  describe(`a source of type ${kind} that is the only way in`, () => {
    const login = `mia-${kind}`
    let source: Started
    let secret = ''
    before(async () => {
      source = await start()
      const sent = { name: kind, is_only_way: true, ...source.settings }
      assert.equal((await forge.call('root', 'POST', '/admin/auths', sent)).status, 201)
    })
    after(() => source?.[Symbol.asyncDispose]())

    test('opens only the page that sets the second factor up', async () => {
      const begun = forge.browser()
      assert.equal(await source.signIn(begun), '/')
      for (const path of ['/', '/user/settings', '/user/settings/applications']) {
        const { status, headers } = await begun.get(path)
        assert.deepEqual([status, headers.get('location')], [303, SECURITY], path)
      }
      const shown = await begun.submit(SECURITY, 'totp-begin', {})
      secret = must(/<code class="secret">([A-Z2-7]+)<\/code>/.exec(shown.text)?.[1], 'a secret')
      const sealed = must(/name="sealed" value="([^"]+)"/.exec(shown.text)?.[1], 'a sealed secret')
      const passcode = await code()
      assert.equal((await begun.submit(SECURITY, 'totp-confirm', { sealed, passcode })).status, 200)
      assert.equal((await begun.get('/user/settings')).status, 200)
    })

    test('asks for the second factor after the source, and opens nothing before', async () => {
      forge.advance(60_000)
      const browser = forge.browser()
      assert.match((await source.signIn(browser)) ?? '', /^\/user\/two_factor/)
      assert.ok(!browser.cookies.has('session'))
      const wrong = await browser.submit('/user/two_factor', 'code', { passcode: '000000' })
      assert.equal(wrong.status, 422)
      const right = await browser.submit('/user/two_factor', 'code', { passcode: await code() })
      assert.equal(right.status, 303)
      assert.equal((await browser.get('/user/settings')).status, 200)
    })

    test('has no password beside it, also one that is set', async () => {
      const account = must(await findAccount(forge.db, login), login)
      await setPassword(forge.ctx, account, PASSWORD)
      const fields = { user_name: login, password: PASSWORD }
      assert.equal((await forge.browser().submit('/user/login', 'sign-in', fields)).status, 422)
      const authorization = `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString('base64')}`
      assert.equal((await forge.call(null, 'GET', '/user', undefined, { authorization })).status, 401)
    })

    test('demands the second factor again from an account that has lost it', async () => {
      const account = must(await findAccount(forge.db, login), login)
      await forge.db.deleteFrom('account_totp').where('account_id', '=', account.id).execute()
      const browser = forge.browser()
      assert.equal(await source.signIn(browser), '/')
      const { status, headers } = await browser.get('/user/settings')
      assert.deepEqual([status, headers.get('location')], [303, SECURITY])
    })

    const code = () => generate({ secret, epoch: Math.floor(forge.ctx.now().getTime() / 1000) })
  })
