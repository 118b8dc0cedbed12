/** Sign-in with a SAML identity provider (`samlify`), on three nodes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { findAccount } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { deliver, SamlProvider } from '#testing/slices/saml'

const START = '/user/saml/company'
let forge: Forge
let provider: SamlProvider
let source: number

before(async () => {
  forge = await startForge({ nodes: 3, config: { 'log.level': 'silent' } })
  await forge.person('root', { is_admin: true })
  provider = await SamlProvider.start({
    mia: {
      attributes: { mail: ['mia@company.test'], displayName: ['Mia Meyer'], groups: ['devs', 'wheel'] },
    },
    ann: {},
    plain: { attributes: { number: ['4711'] } },
  })
  await forge.call('root', 'POST', '/orgs', { username: 'guild' })
  await forge.call('root', 'POST', '/orgs/guild/teams', {
    name: 'devs',
    permission: 'write',
    units: ['repo.code'],
  })
  const { body, status } = await forge.call('root', 'POST', '/admin/auths', {
    name: 'company',
    saml: provider.saml,
  })
  assert.equal(status, 201, JSON.stringify(body))
  source = body.id
  const mappings = [
    { group: 'devs', organization: 'guild', team: 'devs' },
    { group: 'wheel', admin: true },
  ]
  await forge.call('root', 'PUT', `/admin/auths/${source}/mappings`, { mappings })
  assert.equal(body.metadata_url, 'http://forge.test/user/saml/company/metadata')
  await provider.register((await forge.browser().get('/user/saml/company/metadata')).text)
})
after(async () => {
  await provider?.[Symbol.asyncDispose]()
  await forge?.[Symbol.asyncDispose]()
})

type Browser = ReturnType<Forge['browser']>
const signedIn = async (browser: Browser) => (await browser.get('/user/settings')).status === 200
const edit = (patch: object) => forge.call('root', 'PATCH', `/admin/auths/${source}`, patch)

test('the first sign-in creates an account with the attributes and teams of the assertion, and the next one finds it by its NameID', async () => {
  const browser = forge.browser()
  const page = await browser.get('/user/login?redirect_to=%2Fexplore%2Frepos')
  assert.ok(page.text.includes('/user/saml/company?redirect_to=%2Fexplore%2Frepos'))
  const entered = await provider.signIn(browser, 'mia', `${START}?redirect_to=%2Fexplore%2Frepos`)
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/explore/repos'])
  assert.ok(await signedIn(browser))
  const mia = await findAccount(forge.db, 'mia')
  assert.deepEqual(
    [mia?.email, mia?.full_name, mia?.source_id, mia?.is_admin],
    ['mia@company.test', 'Mia Meyer', source, true],
  )
  const { rows } = await sql`select from team_member where user_id = ${mia?.id}`.execute(forge.db)
  assert.equal(rows.length, 1)
  await forge.call('root', 'POST', '/admin/users/mia/rename', { new_username: 'mia2' })
  const again = forge.browser()
  await provider.signIn(again, 'mia', START)
  assert.ok((await again.get('/user/settings')).text.includes('mia2'))
})

test('an answer is taken once, by whichever node, and finished once in the browser that asked for it', async () => {
  const browser = forge.browser()
  const page = await provider.begin(browser, START)
  const { to, form } = await provider.answer(page, 'ann')
  const other = forge.browser()
  await other.get(START)
  const next = await deliver(browser, to, form)
  assert.equal((await other.get(next)).status, 422)
  const second = await provider.answer(page, 'mia')
  await Promise.all(Array.from({ length: 6 }, () => deliver(forge.browser(), to, second.form)))
  const kept = new Map(browser.cookies)
  assert.equal((await browser.get(next)).status, 303)
  const shown = (await browser.get('/user/settings')).text
  assert.ok(shown.includes('href="/ann"') && !shown.includes('mia2'))
  const replaying = forge.browser()
  for (const [name, value] of kept) replaying.cookies.set(name, value)
  await deliver(replaying, to, form)
  assert.equal((await replaying.get(next)).status, 422)
  assert.ok(!(await signedIn(replaying)))
})

test('a sign-in leaves one audit record, with the account', async () => {
  const newest = async () =>
    (
      await sql<{ operation: string; account: string; outcome: string }>`
        select operation, account, outcome from audit_record
        where operation like 'source%' order by id desc limit 2`.execute(forge.db)
    ).rows
  const browser = forge.browser()
  await provider.signIn(browser, 'ann', START)
  const [record] = await newest()
  assert.deepEqual(record, { operation: 'sourceFinishSaml', account: 'ann', outcome: 'done' })
  await forge.browser().get('/user/saml/company/finish')
  const [refusal] = await newest()
  assert.deepEqual([refusal?.operation, refusal?.outcome], ['sourceFinishSaml', 'refused'])
})

test('a named attribute identifies people in place of the NameID', async () => {
  const saml = { ...provider.saml, subject_attribute: 'number' }
  const { body } = await forge.call('root', 'POST', '/admin/auths', { name: 'numbers', saml })
  await provider.register((await forge.browser().get('/user/saml/numbers/metadata')).text)
  const browser = forge.browser()
  await provider.signIn(browser, 'plain', '/user/saml/numbers')
  assert.ok(await signedIn(browser))
  const { rows } = await sql<{ subject: string }>`
    select subject from external_identity where source_id = ${body.id}`.execute(forge.db)
  assert.deepEqual(rows, [{ subject: '4711' }])
  const without = forge.browser()
  assert.equal((await provider.signIn(without, 'ann', '/user/saml/numbers')).status, 422)
  await provider.register((await forge.browser().get('/user/saml/company/metadata')).text)
})

test('an administrator adds a provider on its page, and a certificate with a weak key is refused', async () => {
  const browser = await forge.browserOf('root')
  const shown = await browser.get('/-/admin/auths/new?type=saml')
  assert.ok(shown.text.includes('Entity ID of the provider'))
  const fields = { name: 'paged', type: 'saml', ...provider.saml, name_id_format: 'emailAddress' }
  const added = await browser.submit('/-/admin/auths/new?type=saml', 'create', fields)
  assert.equal(added.status, 303)
  const at = added.headers.get('location') ?? ''
  assert.ok((await browser.get(at)).text.includes('http://forge.test/user/saml/paged/acs'))
  const { body } = await forge.call('root', 'GET', at.replace('/-', ''))
  assert.deepEqual([body.type, body.saml.name_id_format, body.is_enabled], ['saml', 'emailAddress', false])
  for (const saml of [
    { certificates: 'no certificate' },
    { certificates: `${provider.saml.certificates}more` },
    { sso_url: 'http://id.example.test/' },
    { sso_url: 'javascript:alert(1)' },
  ]) {
    const refused = await forge.call('root', 'PATCH', at.replace('/-', ''), { saml })
    assert.equal(refused.status, 422, JSON.stringify(saml))
  }
})

test('a source with accounts keeps its entity ID and what identifies people', async () => {
  for (const saml of [{ entity_id: 'https://other.test' }, { subject_attribute: 'mail' }])
    assert.equal((await edit({ saml })).status, 422)
  assert.equal((await edit({ saml: { certificates: provider.saml.certificates } })).status, 200)
})

test('a disabled source has no pages', async () => {
  await edit({ is_enabled: false })
  assert.ok(!(await forge.browser().get('/user/login')).text.includes(START))
  assert.equal((await forge.browser().get(START)).status, 404)
  assert.equal((await forge.browser().get('/user/saml/company/metadata')).status, 404)
  await edit({ is_enabled: true })
})
