/** Mistakes and attacks of providers and browsers during sign-in with OpenID Connect: each is refused, and nothing is created. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, startForge } from '#testing'
import { type Claims, HostileProvider, type Tricks } from '#testing/slices/hostile-provider'

type Browser = ReturnType<Forge['browser']>
const START = '/user/oauth2/evil'
let forge: Forge
let provider: HostileProvider
let source: number

before(async () => {
  const config = {
    'log.level': 'silent' as const,
    'sources.private_hosts': ['127.0.0.1'],
    'sources.timeout_ms': 3_000,
  }
  forge = await startForge({ config })
  await forge.person('root', { is_admin: true })
  provider = await HostileProvider.start()
  for (const name of ['evil', 'other'])
    ({
      body: { id: source },
    } = await forge.call('root', 'POST', '/admin/auths', {
      name,
      secret: 'secret',
      oidc: { issuer: provider.issuer, client_id: 'forge' },
    }))
})
after(async () => {
  await provider[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})
beforeEach(async () => {
  provider.tricks = {}
  await sql`update authentication_source set discovered = null, discovered_at = null`.execute(forge.db)
})

interface Begun {
  readonly state: string
  readonly nonce: string
}

async function begin(browser: Browser, start = START): Promise<Begun> {
  const { headers, status } = await browser.get(start)
  assert.equal(status, 303)
  const asked = new URL(headers.get('location') ?? '').searchParams
  provider.nonce = asked.get('nonce') ?? ''
  provider.now = Math.round(forge.ctx.now().getTime() / 1000)
  return { state: asked.get('state') ?? '', nonce: provider.nonce }
}

function finish(browser: Browser, params: Record<string, string | undefined>, start = START) {
  const query = new URLSearchParams({ code: 'code' })
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return browser.get(`${start}/callback?${query}`)
}

async function assertNobody(browser: Browser): Promise<void> {
  assert.ok(!browser.cookies.has('session') && !browser.cookies.has('source_identity'))
  const { rows } = await sql`select from external_identity where subject = 'sub-1'`.execute(forge.db)
  assert.equal(rows.length, 0)
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => provider.now
const LONG = 's'.repeat(100_000)

const answers: readonly (readonly [string, () => Tricks])[] = [
  ['another issuer', () => ({ claims: { iss: 'https://other.example.test' } })],
  ['a look-alike issuer', () => ({ claims: { iss: `${provider.issuer}/` } })],
  ['another audience', () => ({ claims: { aud: 'somebody-else' } })],
  ['several audiences for another party', () => ({ claims: { aud: ['forge', 'x'], azp: 'x' } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['an empty subject', () => ({ claims: { sub: '' } })],
  ['a subject of 100 KB', () => ({ claims: { sub: LONG }, userinfo: { sub: LONG } })],
  ['another nonce', () => ({ claims: { nonce: 'replayed' } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['an end in the past', () => ({ claims: { exp: now() - 120 } })],
  ['a beginning in the future', () => ({ claims: { nbf: now() + 600 } })],
  ['a signature of an unpublished key', () => ({ signsWithOther: true })],
  ['alg none', () => ({ idToken: (claims: Claims) => `${part({ alg: 'none' })}.${part(claims)}.` })],
  ['no signature', () => ({ idToken: (claims: Claims) => `${part({ alg: 'RS256' })}.${part(claims)}.` })],
  [
    'an HMAC by the client secret',
    () => ({
      idToken: (claims: Claims) => {
        const text = `${part({ alg: 'HS256' })}.${part(claims)}`
        return `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`
      },
    }),
  ],
  [
    'no ID token',
    () => ({
      tokenAnswer: (it) =>
        void it.writeHead(200, JSON_TYPE).end('{"access_token":"a","token_type":"Bearer"}'),
    }),
  ],
  [
    'a megabyte of text',
    () => ({ tokenAnswer: (it) => void it.writeHead(200, JSON_TYPE).end('x'.repeat(1e6)) }),
  ],
  ['text that is no JSON', () => ({ tokenAnswer: (it) => void it.writeHead(200, JSON_TYPE).end('{') })],
  [
    'a redirect of the token request',
    () => ({ tokenAnswer: (it) => void it.writeHead(307, { location: `${provider.issuer}/x` }).end() }),
  ],
  ['user info of another subject', () => ({ userinfo: { sub: 'admin' } })],
  ['a group bomb', () => ({ claims: { groups: Array.from({ length: 1_001 }, (_, i) => `g${i}`) } })],
  ['groups that are no names', () => ({ claims: { groups: [{ admin: true }] } })],
]
const JSON_TYPE = { 'content-type': 'application/json' }

for (const [what, tricks] of answers)
  test(`an answer with ${what} is refused`, async () => {
    const browser = forge.browser()
    const { state } = await begin(browser)
    provider.tricks = tricks()
    assert.equal((await finish(browser, { state })).status, 422)
    await assertNobody(browser)
  })

const discoveries: readonly (readonly [string, () => Tricks])[] = [
  ['of another issuer', () => ({ metadata: { issuer: 'https://other.example.test' } })],
  ['with a script as its page', () => ({ metadata: { authorization_endpoint: 'javascript:alert(1)' } })],
  ['with a page without TLS', () => ({ metadata: { authorization_endpoint: 'http://id.example.test/' } })],
  ['without a page', () => ({ metadata: { authorization_endpoint: undefined } })],
  ['of a megabyte', () => ({ metadata: { more: 'x'.repeat(1e6) } })],
  [
    'that redirects',
    () => ({ discovery: (it) => void it.writeHead(302, { location: 'http://169.254.169.254/' }).end() }),
  ],
]
for (const [what, tricks] of discoveries)
  test(`a discovery document ${what} is refused`, async () => {
    provider.tricks = tricks()
    const { status, headers } = await forge.browser().get(START)
    assert.deepEqual([status, headers.get('location')], [422, null])
  })

test('an endpoint at an internal address is not called', async () => {
  const browser = forge.browser()
  provider.tricks = { metadata: { token_endpoint: 'http://169.254.169.254/token' } }
  const { state } = await begin(browser)
  assert.equal((await finish(browser, { state })).status, 422)
  await assertNobody(browser)
})

test('a provider that does not answer is given up', async () => {
  provider.tricks = { discovery: () => undefined }
  assert.equal((await forge.browser().get(START)).status, 503)
})

test('the answer of an attacker’s sign-in is refused in the browser of a victim (login CSRF)', async () => {
  const attacker = forge.browser()
  const { state } = await begin(attacker)
  const victim = forge.browser()
  assert.equal((await finish(victim, { state })).status, 422)
  await begin(victim)
  assert.equal((await finish(victim, { state })).status, 422)
  await assertNobody(victim)
})

for (const [what, params] of [
  ['another state', { state: 'other' }],
  ['no state', { state: undefined }],
  ['another issuer (mix-up)', { iss: 'https://other.example.test' }],
  ['an error of the provider', { error: 'access_denied' }],
  ['no code', { code: undefined }],
] as const)
  test(`a callback with ${what} is refused`, async () => {
    const browser = forge.browser()
    const { state } = await begin(browser)
    assert.equal((await finish(browser, { state, ...params })).status, 422)
    // The request was answered, so the right answer comes too late.
    assert.equal((await finish(browser, { state })).status, 422)
    await assertNobody(browser)
  })

test('a provider that promises its issuer in every answer is refused without it', async () => {
  const browser = forge.browser()
  provider.tricks = { metadata: { authorization_response_iss_parameter_supported: true } }
  const { state } = await begin(browser)
  assert.equal((await finish(browser, { state })).status, 422)
  await assertNobody(browser)
})

test('the answer to a request of one source is refused at another', async () => {
  const browser = forge.browser()
  const { state } = await begin(browser)
  assert.equal((await finish(browser, { state }, '/user/oauth2/other')).status, 422)
  await assertNobody(browser)
})

test('an answer that is late is refused', async () => {
  const browser = forge.browser()
  const { state } = await begin(browser)
  forge.advance(601_000)
  provider.now += 601
  assert.equal((await finish(browser, { state })).status, 422)
  await assertNobody(browser)
})

test('a source that was disabled meanwhile is refused', async () => {
  const browser = forge.browser()
  const { state } = await begin(browser, '/user/oauth2/other')
  await forge.call('root', 'PATCH', `/admin/auths/${source}`, { is_enabled: false })
  assert.equal((await finish(browser, { state }, '/user/oauth2/other')).status, 404)
  await forge.call('root', 'PATCH', `/admin/auths/${source}`, { is_enabled: true })
  await assertNobody(browser)
})

test('an honest answer signs in once: code and state are not accepted again, and PKCE protects the code', async () => {
  const browser = forge.browser()
  const { state } = await begin(browser)
  const kept = new Map(browser.cookies)
  assert.equal((await finish(browser, { state })).status, 303)
  assert.ok(browser.cookies.has('session'))
  assert.match(provider.exchanged.at(-1)?.get('code_verifier') ?? '', /^[\w-]{43}$/)
  const replaying = forge.browser()
  for (const [name, value] of kept) replaying.cookies.set(name, value)
  assert.equal((await finish(replaying, { state })).status, 422)
  assert.ok(!replaying.cookies.has('session'))
})

test('a provider at a private address that the operator has not allowed is not called', async () => {
  await using guarded = await startForge({ config: { 'log.level': 'silent' } })
  await guarded.person('root', { is_admin: true })
  const oidc = { issuer: provider.issuer, client_id: 'forge' }
  await guarded.call('root', 'POST', '/admin/auths', { name: 'evil', oidc })
  assert.equal((await guarded.browser().get(START)).status, 422)
})
