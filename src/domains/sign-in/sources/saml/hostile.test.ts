/** Mistakes and attacks of SAML identity providers and browsers: each is refused, and no identity is created. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import { createUser } from '#domains/people/users'
import { type Forge, startForge } from '#testing'
import { deliver } from '#testing/slices/saml'
import { type Answer, type Asked, METHODS, partsOf, SamlAnswers } from '#testing/slices/saml-answers'

type Browser = ReturnType<Forge['browser']>
const provider = new SamlAnswers()
let forge: Forge

before(async () => {
  forge = await startForge({ nodes: 3, config: { 'log.level': 'silent' } })
  await forge.person('root', { is_admin: true })
  for (const name of ['evil', 'other'])
    assert.equal(
      (await forge.call('root', 'POST', '/admin/auths', { name, saml: provider.saml })).status,
      201,
    )
})
after(() => forge?.[Symbol.asyncDispose]())

async function begin(browser: Browser, name = 'evil'): Promise<Asked> {
  const { headers } = await browser.get(`/user/saml/${name}`)
  const at = new URL(headers.get('location') ?? '')
  assert.equal(at.searchParams.get('tenant'), '1')
  const request = Buffer.from(at.searchParams.get('SAMLRequest') ?? '', 'base64')
  const [, id = ''] = / ID="(_[\da-f]{64})"/.exec(inflateRawSync(request).toString()) ?? []
  const home = `http://forge.test/user/saml/${name}`
  return { id, consumer: `${home}/acs`, audience: `${home}/metadata`, now: forge.ctx.now() }
}

/** The status of the page that the browser ends on. */
async function finish(browser: Browser, sent: string | Buffer, name = 'evil'): Promise<number> {
  const form = new URLSearchParams({ SAMLResponse: Buffer.from(sent).toString('base64') })
  const next = await deliver(browser, `/user/saml/${name}/acs`, form)
  return (await browser.get(next)).status
}

async function assertStranger(browser: Browser): Promise<void> {
  assert.ok(!browser.cookies.has('session') && !browser.cookies.has('source_identity'))
  const { rows } = await sql`select from external_identity where subject <> 'honest'`.execute(forge.db)
  assert.equal(rows.length, 0)
}

type Make = (asked: Asked) => Answer
const at = ({ now }: Asked, seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString()
const answers: readonly (readonly [string, Make])[] = [
  ['no signature', () => ({ signs: [] })],
  ['a signature of another key', () => ({ key: provider.other.key })],
  ['a signature by SHA-1', () => ({ method: METHODS.rsaSha1 })],
  ['a digest by SHA-1', () => ({ digest: METHODS.sha1 })],
  ['another issuer', () => ({ issuer: 'https://other.example.test/metadata' })],
  ['a look-alike issuer', () => ({ issuer: `${provider.issuer}/` })],
  ['another issuer of the response', () => ({ responseIssuer: 'https://other.example.test' })],
  ['another audience', () => ({ restriction: restrictedTo('http://forge.test/user/saml/other/metadata') })],
  ['a look-alike audience', ({ audience }) => ({ restriction: restrictedTo(`${audience}.evil.test`) })],
  [
    'one of two audiences that is another',
    ({ audience }) => ({ restriction: restrictedTo(audience) + restrictedTo('x') }),
  ],
  ['no audience', () => ({ restriction: '' })],
  ['another destination', () => ({ destination: 'http://forge.test/user/saml/other/acs' })],
  ['a signed response without a destination', () => ({ signs: ['response'], destination: undefined })],
  ['another recipient', () => ({ confirmation: { Recipient: 'http://forge.test/user/saml/other/acs' } })],
  ['no recipient', () => ({ confirmation: { Recipient: undefined } })],
  ['an end in the past', (it) => ({ conditions: { NotOnOrAfter: at(it, -61) } })],
  ['a beginning in the future', (it) => ({ conditions: { NotBefore: at(it, 120) } })],
  ['no end', () => ({ conditions: { NotOnOrAfter: undefined } })],
  ['an end that is no time', () => ({ conditions: { NotOnOrAfter: '9999' } })],
  ['a confirmation that has ended', (it) => ({ confirmation: { NotOnOrAfter: at(it, -61) } })],
  ['a confirmation without an end', () => ({ confirmation: { NotOnOrAfter: undefined } })],
  ['a confirmation with a beginning', (it) => ({ confirmation: { NotBefore: at(it, -1) } })],
  [
    'a confirmation that is not bearer',
    () => ({ confirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
  ],
  [
    'no request (begun by the provider)',
    () => ({ responseTo: undefined, confirmation: { InResponseTo: undefined } }),
  ],
  [
    'a request that does not exist',
    () => ({ responseTo: `_${'0'.repeat(64)}`, confirmation: { InResponseTo: `_${'0'.repeat(64)}` } }),
  ],
  ['an unsigned request', () => ({ confirmation: { InResponseTo: undefined } })],
  ['two requests', () => ({ responseTo: `_${'0'.repeat(64)}` })],
  ['a status of failure', () => ({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })],
  ['SAML 1.1', () => ({ version: '1.1' })],
  ['no authentication', () => ({ authentication: '' })],
  ['an unknown condition', ({ audience }) => ({ restriction: `${restrictedTo(audience)}<saml:Condition/>` })],
  ['no NameID', () => ({ subject: '' })],
  ['two NameIDs', () => ({ subject: nameId('a') + nameId('b') })],
  ['an empty NameID', () => ({ nameId: '' })],
  ['elements in the NameID', () => ({ nameId: '<saml:X>sub-1</saml:X>' })],
  ['a NameID of 300 characters', () => ({ nameId: 's'.repeat(300) })],
  ['a transient NameID', () => ({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' })],
  [
    'a NameID of another format',
    () => ({ format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' }),
  ],
  ['a group bomb', () => ({ attributes: { groups: Array.from({ length: 1_001 }, (_, i) => `g${i}`) } })],
  ['a group of 300 characters', () => ({ attributes: { groups: ['g'.repeat(300)] } })],
]
const restrictedTo = (audience: string) =>
  `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`
const nameId = (value: string) => `<saml:NameID>${value}</saml:NameID>`

for (const [what, make] of answers)
  test(`an answer with ${what} is refused`, async () => {
    const browser = forge.browser()
    const asked = await begin(browser)
    assert.equal(await finish(browser, provider.write(asked, make(asked))), 422)
    await assertStranger(browser)
  })

/** What an attacker makes of an answer that is signed, and wants to be somebody else with. */
const evil = (text: string) => text.replaceAll('sub-1', 'victim').replaceAll('"a1"', '"e1"')
const wrapped = (xml: string, content: string) => xml.replace(partsOf(xml, 'a1').assertion, () => content)
const changes: readonly (readonly [string, (xml: string, asked: Asked) => string | Buffer])[] = [
  ['a changed NameID', (xml) => xml.replace('sub-1', 'victim')],
  ['a comment in the NameID', (xml) => xml.replace('sub-1', 'sub<!-- -->-1')],
  ['a comment anywhere', (xml) => xml.replace('</samlp:Response>', '<!-- --></samlp:Response>')],
  ['a CDATA section', (xml) => xml.replace('sub-1', '<![CDATA[sub-1]]>')],
  ['a processing instruction', (xml) => xml.replace('sub-1', '<?x y?>sub-1')],
  ['a DTD', (xml) => `<!DOCTYPE Response>${xml}`],
  [
    'an entity bomb',
    (xml) =>
      `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>${xml.replace('sub-1', '&b;')}`,
  ],
  [
    'an external entity',
    (xml) => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml.replace('sub-1', '&x;')}`,
  ],
  ['an entity without a DTD', (xml) => xml.replace('sub-1', '&nbsp;')],
  ['another encoding', (xml) => Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${xml}`)],
  ['bytes that are no UTF-8', (xml) => Buffer.concat([Buffer.from(xml), Buffer.from([0xff, 0xfe])])],
  ['text that is no XML', () => 'not XML'],
  ['an element that is not closed', (xml) => xml.replace('</samlp:Response>', '')],
  ['100,000 nested elements', (xml) => xml.replace('</samlp:Response>', `${'<a>'.repeat(50_000)}`)],
  [
    '50 nested elements',
    (xml) => xml.replace('</samlp:Status>', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}</samlp:Status>`),
  ],
  [
    '100,000 elements',
    (xml) => xml.replace('</samlp:Response>', `${'<a/>'.repeat(50_000)}</samlp:Response>`),
  ],
  [
    'garbage that is encrypted',
    (xml) => wrapped(xml, '<saml:EncryptedAssertion><x>AAAA</x></saml:EncryptedAssertion>'),
  ],
  [
    'an encrypted assertion besides',
    (xml) => xml.replace('</samlp:Response>', '<saml:EncryptedAssertion/></samlp:Response>'),
  ],
  ['an encrypted NameID', (xml) => xml.replace('</saml:Subject>', '<saml:EncryptedID/></saml:Subject>')],
  [
    'an evil assertion before (XSW 3)',
    (xml) => wrapped(xml, evil(partsOf(xml, 'a1').bare) + partsOf(xml, 'a1').whole),
  ],
  [
    'an evil assertion after',
    (xml) => wrapped(xml, partsOf(xml, 'a1').whole + evil(partsOf(xml, 'a1').bare)),
  ],
  [
    'the right assertion in an evil one (XSW 4)',
    (xml) =>
      wrapped(
        xml,
        evil(partsOf(xml, 'a1').bare).replace(
          '</saml:Assertion>',
          `${partsOf(xml, 'a1').whole}</saml:Assertion>`,
        ),
      ),
  ],
  [
    'the signature in an evil assertion (XSW 5)',
    (xml) =>
      wrapped(
        xml,
        evil(partsOf(xml, 'a1').bare).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${partsOf(xml, 'a1').signature}`,
        ) + partsOf(xml, 'a1').bare,
      ),
  ],
  [
    'the right assertion in the signature (XSW 6)',
    (xml) =>
      wrapped(
        xml,
        evil(partsOf(xml, 'a1').bare).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${partsOf(xml, 'a1').signature.replace('</ds:Signature>', `${partsOf(xml, 'a1').bare}</ds:Signature>`)}`,
        ),
      ),
  ],
  [
    'an evil assertion in extensions (XSW 7)',
    (xml) =>
      xml.replace(
        '<samlp:Status>',
        `<samlp:Extensions>${evil(partsOf(xml, 'a1').bare)}</samlp:Extensions><samlp:Status>`,
      ),
  ],
  [
    'the right assertion in an object (XSW 8)',
    (xml) =>
      wrapped(
        xml,
        evil(partsOf(xml, 'a1').bare).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${partsOf(xml, 'a1').signature.replace('</ds:Signature>', `<ds:Object>${partsOf(xml, 'a1').bare}</ds:Object></ds:Signature>`)}`,
        ),
      ),
  ],
  [
    'an evil assertion with the same ID',
    (xml) => wrapped(xml, partsOf(xml, 'a1').bare.replace('sub-1', 'victim') + partsOf(xml, 'a1').whole),
  ],
  ['an ID twice', (xml) => xml.replace('<samlp:Status>', '<samlp:Status Id="a1">')],
  ['a reference to the whole document', (xml) => xml.replace('URI="#a1"', 'URI=""')],
  ['a second reference', (xml) => xml.replace(/(<ds:Reference[\s\S]*<\/ds:Reference>)/, '$1$1')],
  [
    'a transform by XPath',
    (xml) =>
      xml
        .replace('xmldsig#enveloped-signature', 'xmldsig#x')
        .replace('http://www.w3.org/2000/09/xmldsig#x', 'http://www.w3.org/TR/1999/REC-xpath-19991116'),
  ],
  [
    'a signature by HMAC',
    (xml) => xml.replace(METHODS.rsaSha256, 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
  ],
  [
    'an assertion of another namespace',
    (xml) => xml.replace('xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"', 'xmlns:saml="urn:evil"'),
  ],
]
for (const [what, change] of changes)
  test(`a signed answer with ${what} is refused`, async () => {
    const browser = forge.browser()
    const asked = await begin(browser)
    const changed = change(provider.write(asked), asked)
    assert.notEqual(String(changed), provider.write(asked))
    assert.equal(await finish(browser, changed), 422)
    await assertStranger(browser)
  })

for (const [what, change] of [
  [
    'around another response (XSW 1)',
    (xml: string) => {
      const { signature, bare } = partsOf(xml, 'r1')
      return evil(bare)
        .replace('"r1"', '"e0"')
        .replace(
          '</saml:Issuer>',
          `</saml:Issuer>${signature.replace('</ds:Signature>', `${bare}</ds:Signature>`)}`,
        )
    },
  ],
  [
    'beside another response (XSW 2)',
    (xml: string) => {
      const { signature, bare } = partsOf(xml, 'r1')
      return evil(bare).replace('"r1"', '"e0"').replace('</saml:Issuer>', `</saml:Issuer>${bare}${signature}`)
    },
  ],
  [
    'that is broken outside of a right assertion',
    (xml: string) => xml.replace('IssueInstant="2', 'IssueInstant="3'),
  ],
] as const)
  test(`an answer with a signature of the response ${what} is refused`, async () => {
    const browser = forge.browser()
    const asked = await begin(browser)
    const isBoth = what.startsWith('that')
    const xml = provider.write(asked, { signs: isBoth ? ['assertion', 'response'] : ['response'] })
    assert.equal(await finish(browser, change(xml)), 422)
    await assertStranger(browser)
  })

test('an answer for another source is refused here, and at the other source without its request', async () => {
  const browser = forge.browser()
  const asked = await begin(browser)
  const other = await begin(forge.browser(), 'other')
  assert.equal(await finish(browser, provider.write({ ...other, id: asked.id })), 422)
  const again = forge.browser()
  const request = await begin(again)
  assert.equal(await finish(again, provider.write({ ...other, id: request.id }), 'other'), 422)
  await assertStranger(again)
})

test('the answer to an attacker’s request is refused in the browser of a victim (login CSRF)', async () => {
  const attacker = await begin(forge.browser())
  const victim = forge.browser()
  await begin(victim)
  assert.equal(await finish(victim, provider.write(attacker)), 422)
  await assertStranger(victim)
})

test('an answer that is late is refused', async () => {
  const browser = forge.browser()
  const asked = await begin(browser)
  forge.advance(601_000)
  assert.equal(await finish(browser, provider.write({ ...asked, now: forge.ctx.now() })), 422)
  await assertStranger(browser)
})

test('a body of 10 MB, another type and two responses are refused', async () => {
  const browser = forge.browser()
  const asked = await begin(browser)
  const response = Buffer.from(provider.write(asked)).toString('base64')
  const huge = new URLSearchParams({ SAMLResponse: 'A'.repeat(10_000_000) })
  const consumer = '/user/saml/evil/acs'
  assert.equal((await forge.browser().post(consumer, huge)).status, 413)
  const type = { 'content-type': 'application/json' }
  assert.equal((await forge.browser().post(consumer, new URLSearchParams(), type)).status, 400)
  const two = new URLSearchParams([
    ['SAMLResponse', response],
    ['SAMLResponse', response],
  ])
  const next = await deliver(browser, consumer, two)
  assert.equal((await browser.get(next)).status, 422)
})

for (const signs of [['assertion'], ['response'], ['assertion', 'response']] as const)
  test(`an answer whose ${signs.join(' and ')} is signed signs in`, async () => {
    const browser = forge.browser()
    const asked = await begin(browser)
    const wanted = { signs, nameId: 'honest', attributes: { uid: ['honest'] } }
    assert.equal(await finish(browser, provider.write(asked, wanted)), 303)
    assert.equal((await browser.get('/user/settings')).status, 200)
  })

test('the name or address of another account opens no account, also one that looks like it', async () => {
  await createUser(forge.ctx, {
    username: 'victim',
    email: 'victim@example.test',
    password: 'a long password',
    must_change_password: false,
  })
  for (const address of ['victim@example.test', 'VICTIM@example.test', 'v\u0456ctim@example.test']) {
    const browser = forge.browser()
    const asked = await begin(browser)
    const wanted = { nameId: address, attributes: { uid: ['victim'], mail: [address] } }
    assert.equal(await finish(browser, provider.write(asked, wanted)), 303)
    assert.ok(browser.cookies.has('source_identity') && !browser.cookies.has('session'))
  }
})
