/** OAuth2 and OpenID Connect: what applications can do for people who authorized them, and when that ends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import * as openid from 'openid-client'
import { type Forge, GitClient, startForge } from '#testing'
import { BACK, Client, LOOPBACK, post } from '#testing/slices/oauth2'

type Browser = ReturnType<Forge['browser']>

const MINUTE_MS = 60_000
let forge: Forge
let ann: Browser
/** Registered by dev: `web` keeps a secret, `native` is a program on the user's machine. */
let web: Client
let native: Client
/** Registered by somebody who wants more than was granted. */
let evil: Client

before(async () => {
  forge = await startForge({
    config: { 'log.level': 'silent', 'oauth2.built_in_applications': ['git-credential-oauth'] },
  })
  for (const name of ['ann', 'dev', 'eve']) await forge.person(name)
  ann = await forge.browserOf('ann')
  web = await Client.register(forge, 'dev')
  native = await Client.register(forge, 'dev', { isPublic: true })
  evil = await Client.register(forge, 'eve')
})
after(() => forge[Symbol.asyncDispose]())

/** A strict client, which validates issuer, audience, signature, nonce and times. */
async function strictClient(): Promise<openid.Configuration> {
  const toForge = (url: string, init: object) => fetch(url.replace('http://forge.test', forge.base), init)
  const clientNow = performance.timeOrigin + performance.now()
  const skew = Math.round((forge.ctx.now().getTime() - clientNow) / 1000)
  return openid.discovery(
    new URL('http://forge.test'),
    web.app.client_id,
    { [openid.clockSkew]: skew },
    openid.ClientSecretBasic(web.app.client_secret),
    { execute: [openid.allowInsecureRequests], [openid.customFetch]: toForge },
  )
}

test('a strict OpenID client signs somebody in, renews the tokens, and revokes them', async () => {
  const client = await strictClient()
  const verifier = openid.randomPKCECodeVerifier()
  const [state, nonce] = [openid.randomState(), openid.randomNonce()]
  const asked = openid.buildAuthorizationUrl(client, {
    redirect_uri: BACK,
    scope: 'openid profile email groups read:user',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  const path = `${asked.pathname}${asked.search}`
  const shown = await ann.get(path)
  assert.equal(shown.status, 200)
  for (const text of ['Authorize app of dev', '<strong>ann</strong>', '>dev</a>', BACK, 'Read: Your account'])
    assert.ok(shown.text.includes(text), text)
  const allowed = await ann.submit(path, 'allow', { account: 'ann' })
  const returned = new URL(allowed.headers.get('location') ?? '')
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  }
  const tokens = await openid.authorizationCodeGrant(client, returned, checks)
  const claims = tokens.claims()
  assert.equal(claims?.preferred_username, 'ann')
  assert.deepEqual(claims?.groups, ['guild', 'guild:owners'])

  const info = await openid.fetchUserInfo(client, tokens.access_token, claims?.sub ?? '')
  assert.equal(info.email, 'ann@example.test')
  assert.equal(await web.reach(tokens.access_token), 200)
  assert.equal(await web.reach(tokens.access_token, '/user/repos'), 403)

  const renewed = await openid.refreshTokenGrant(client, tokens.refresh_token ?? '')
  assert.equal(await web.reach(renewed.access_token), 200)
  const told = await openid.tokenIntrospection(client, renewed.access_token)
  assert.deepEqual([told.active, told.username], [true, 'ann'])
  await openid.tokenRevocation(client, renewed.access_token)
  assert.equal(await web.reach(renewed.access_token), 401)
  await openid.tokenRevocation(client, renewed.refresh_token ?? '')
  assert.equal(await web.reach(tokens.access_token), 401)
  await assert.rejects(openid.refreshTokenGrant(client, renewed.refresh_token ?? ''))

  // The application keeps a secret and was authorized before, so it is not shown again.
  assert.match(
    (await ann.get(path)).headers.get('location') ?? '',
    /^https:\/\/app\.example\.test\/back\?code=/,
  )
})

test('a credential helper gets a token with its loopback address, and git clones with it', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true, auto_init: true })
  const helper = 'a4792ccc-144e-407e-86c9-5e7d8d9c3269'
  const redirect = 'http://127.0.0.1:43567'
  const wish = { client_id: helper, redirect_uri: redirect, scope: undefined }
  const code = await native.code(ann, 'ann', wish)
  const { body } = await native.exchange(code, { client_id: helper, redirect_uri: redirect })
  assert.equal(body.scope, 'write:repository')
  await using git = await GitClient.open(forge, null, 'ann/secret')
  const remote = (password: string) => git.remote.replace('://', `://oauth2:${password}@`)
  await git.ok('fetch', remote(body.access_token), 'main')
  forge.advance(61 * MINUTE_MS)
  assert.notEqual((await git.run('fetch', remote(body.access_token), 'main')).code, 0)
})

test('a signed-out user signs in first and returns to the request', async () => {
  const asked = native.request()
  const { status, headers } = await forge.browser().get(asked)
  assert.equal(status, 303)
  const to = new URL(headers.get('location') ?? '', 'http://forge.test')
  assert.equal(to.pathname, '/user/login')
  assert.equal(to.searchParams.get('redirect_to'), asked)
})

test('an application that wants no questions learns why it gets no code', async () => {
  const errorOf = async (browser: Browser) => {
    const { headers } = await browser.get(native.request({ prompt: 'none' }))
    return new URL(headers.get('location') ?? '').searchParams.get('error')
  }
  assert.equal(await errorOf(forge.browser()), 'login_required')
  assert.equal(await errorOf(ann), 'consent_required')
  const denied = await ann.submit(native.request(), 'deny', {})
  const { searchParams } = new URL(denied.headers.get('location') ?? '')
  assert.deepEqual(
    ['error', 'state', 'iss'].map((it) => searchParams.get(it)),
    ['access_denied', 'state-1', 'http://forge.test'],
  )
})

test('tea gets what it asks for, and an application without scopes gets full access', async () => {
  const scope = 'admin user issue misc notification organization package repository'
  const code = await native.code(ann, 'ann', { scope, redirect_uri: 'http://127.0.0.1:40123/callback' })
  const { body: tea } = await native.exchange(code, { redirect_uri: 'http://127.0.0.1:0/callback' })
  assert.ok(tea.scope.includes('write:repository'))
  const page = await ann.get(native.request({ scope: undefined }))
  assert.ok(page.text.includes('full access to your account'))
  assert.equal((await native.tokens(ann, 'ann', { scope: undefined })).scope, 'all')
  const signIn = await native.tokens(ann, 'ann', { scope: 'openid profile' })
  assert.equal(await native.reach(signIn.access_token), 403)
})

test('an application that wants the password again gets no code without it', async () => {
  const asked = native.request({ prompt: 'login' })
  const browser = await forge.browserOf('ann')
  assert.equal((await browser.submit(asked, 'allow', { account: 'ann' })).status, 422)
  const allow = () => browser.submit(asked, 'allow-with-password', { account: 'ann' })
  // The session of a test begins as one whose password was just entered.
  const shown = await allow()
  assert.match(shown.text, /href="http:\/\/127\.0\.0\.1\/callback\?code=goc_/)
  await sql`update web_session set elevated_until = null`.execute(forge.db)
  const refused = await allow()
  assert.equal(refused.status, 403)
  assert.ok(!refused.text.includes('goc_'))
})

test('the token endpoint reads JSON and HTTP Basic too', async () => {
  const body = JSON.stringify({
    grant_type: 'authorization_code',
    code: await web.code(ann, 'ann'),
    redirect_uri: BACK,
    code_verifier: web.verifier,
  })
  const { client_id, client_secret } = web.app
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  const headers = { 'content-type': 'application/json', authorization }
  const answer = await fetch(`${forge.base}/login/oauth/access_token`, { method: 'POST', body, headers })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
})

/** Nothing is sent anywhere: the page says what is wrong. */
async function assertOnPage(path: string): Promise<void> {
  const { status, headers } = await ann.get(path)
  assert.equal(status, 400, path)
  assert.equal(headers.get('location'), null)
}

/** The application learns the error, with its state and the issuer. */
async function assertReturned(path: string, error: string): Promise<void> {
  const { status, headers } = await ann.get(path)
  assert.equal(status, 303)
  const { origin, searchParams } = new URL(headers.get('location') ?? '')
  assert.ok([BACK, LOOPBACK].some((it) => new URL(it).origin === origin))
  assert.deepEqual(
    ['error', 'code', 'state', 'iss'].map((it) => searchParams.get(it)),
    [error, null, 'state-1', 'http://forge.test'],
  )
}

function assertRefused(told: { status: number; body: { error?: string } }, error: string): void {
  assert.equal(told.body.error, error)
  assert.equal(told.status, error === 'invalid_client' ? 401 : 400)
}

const redirected = (redirect_uri: string) => () => assertOnPage(web.request({ redirect_uri }))
const nativeTo = (redirect_uri: string) => () => assertOnPage(native.request({ redirect_uri }))
const get = (path: string, headers: Record<string, string> = {}) => fetch(forge.base + path, { headers })

/** RFC 6749, section 10, and RFC 9700: each attack, and the test that it fails. */
const ATTACKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'an open redirector': redirected('https://evil.example/back'),
  'a redirect URI with a longer path': redirected(`${BACK}/../../evil`),
  'a redirect URI that continues the host': redirected('https://app.example.test.evil.example/back'),
  'a redirect URI with the host as user name': redirected('https://app.example.test@evil.example/back'),
  'a redirect URI with a fragment': redirected(`${BACK}#`),
  'a redirect URI with a query': redirected(`${BACK}?next=https://evil.example`),
  'a redirect URI in other letters': redirected(BACK.toUpperCase()),
  'a redirect URI with a port, for an application on a server': redirected(
    'https://app.example.test:8443/back',
  ),
  'a loopback address with another path': nativeTo('http://127.0.0.1:4000/elsewhere'),
  'a loopback address as user name': nativeTo('http://127.0.0.1:4000@evil.example/callback'),
  'a loopback address that continues': nativeTo('http://127.0.0.1.evil.example/callback'),
  'a repeated redirect URI': () => assertOnPage(`${web.request()}&redirect_uri=https://evil.example`),
  'an unknown client': () => assertOnPage(web.request({ client_id: 'nobody' })),
  'an application of the forge that is switched off': () =>
    assertOnPage(
      native.request({
        client_id: 'd57cb8c4-630c-4168-8324-ec79935e18d4',
        redirect_uri: 'http://127.0.0.1/',
      }),
    ),
  'a token in the redirect (response_type=token)': () =>
    assertReturned(web.request({ response_type: 'token' }), 'unsupported_response_type'),
  'an unknown scope': () => assertReturned(web.request({ scope: 'read:everything' }), 'invalid_scope'),
  'a request object': () => assertReturned(web.request({ request: 'e30.e30.' }), 'request_not_supported'),
  'a public client without PKCE': () =>
    assertReturned(
      native.request({ code_challenge: undefined, code_challenge_method: undefined }),
      'invalid_request',
    ),
  'a downgrade to the method plain': async () => {
    await assertReturned(web.request({ code_challenge_method: 'plain' }), 'invalid_request')
    await assertReturned(web.request({ code_challenge_method: undefined }), 'invalid_request')
  },
  'a challenge that was removed from the request': async () => {
    const code = await web.code(ann, 'ann', { code_challenge: undefined, code_challenge_method: undefined })
    assertRefused(await web.exchange(code), 'invalid_grant')
  },
  'a missing verifier': async () =>
    assertRefused(
      await web.exchange(await web.code(ann, 'ann'), { code_verifier: undefined }),
      'invalid_grant',
    ),
  'a wrong verifier': async () =>
    assertRefused(
      await web.exchange(await web.code(ann, 'ann'), { code_verifier: evil.verifier }),
      'invalid_grant',
    ),
  'a code that is used twice, which ends its tokens': async () => {
    const code = await web.code(ann, 'ann')
    const { body } = await web.exchange(code)
    assertRefused(await web.exchange(code), 'invalid_grant')
    assert.equal(await web.reach(body.access_token), 401)
    assertRefused(await web.refresh(body.refresh_token), 'invalid_grant')
  },
  'a code of another application': async () => {
    const code = await web.code(ann, 'ann')
    assertRefused(await evil.exchange(code, { code_verifier: web.verifier }), 'invalid_grant')
  },
  'a code with another redirect URI': async () => {
    for (const redirect_uri of [`${BACK}/more`, LOOPBACK, undefined])
      assertRefused(await web.exchange(await web.code(ann, 'ann'), { redirect_uri }), 'invalid_grant')
    const code = await native.code(ann, 'ann', { redirect_uri: 'http://127.0.0.1:4000/callback' })
    assertRefused(await native.exchange(code, { redirect_uri: 'http://127.0.0.1:4000/' }), 'invalid_grant')
  },
  'a code that is six minutes old': async () => {
    const code = await web.code(ann, 'ann')
    forge.advance(6 * MINUTE_MS)
    assertRefused(await web.exchange(code), 'invalid_grant')
  },
  'a refresh token that is used twice, which ends its family': async () => {
    const { refresh_token } = await web.tokens(ann, 'ann')
    const { body } = await web.refresh(refresh_token)
    assertRefused(await web.refresh(refresh_token), 'invalid_grant')
    assert.equal(await web.reach(body.access_token), 401)
    assertRefused(await web.refresh(body.refresh_token), 'invalid_grant')
  },
  'a refresh token of another application': async () =>
    assertRefused(await evil.refresh((await web.tokens(ann, 'ann')).refresh_token), 'invalid_grant'),
  'more scopes at a refresh': async () => {
    const { refresh_token } = await web.tokens(ann, 'ann')
    for (const scope of ['all', 'write:user', 'openid email', 'read:user read:repository'])
      assertRefused(await web.refresh(refresh_token, { scope }), 'invalid_scope')
    assert.equal((await web.refresh(refresh_token, { scope: 'openid' })).body.scope, 'openid')
  },
  'an answer of another issuer (mix-up)': async () => {
    const returned = await web.allow(ann, 'ann', { nonce: undefined })
    returned.searchParams.set('iss', 'http://evil.example')
    const checks = { pkceCodeVerifier: web.verifier, expectedState: 'state-1' }
    const going = openid.authorizationCodeGrant(await strictClient(), returned, checks)
    await assert.rejects(going, ({ cause }: Error) => /unexpected "iss"/.test(String(cause)))
  },
  'the page in a frame (clickjacking)': async () => {
    const policy = (await ann.get(web.request({ scope: 'all' }))).headers.get('content-security-policy') ?? ''
    assert.ok(
      policy.includes("frame-ancestors 'none'") &&
        policy.includes("form-action 'self' https://app.example.test;"),
    )
  },
  'consent sent by another site (CSRF)': async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const { status, headers: told } = await ann.submit(evil.request(), 'allow', { account: 'ann' }, headers)
    assert.deepEqual([status, told.get('location')], [403, null])
  },
  'consent for another account than the page showed': async () => {
    const { status, headers } = await ann.submit(evil.request(), 'allow', { account: 'dev' })
    assert.deepEqual([status, headers.get('location')], [422, null])
  },
  'consent of a signed-out browser': async () => {
    const { status, headers } = await forge.browser().submit(evil.request(), 'allow', { account: 'ann' })
    assert.deepEqual([status, headers.get('location')], [401, null])
  },
  'consent of somebody who may no longer sign in': async () => {
    await forge.person('gone')
    const browser = await forge.browserOf('gone')
    await sql`update account set prohibits_login = true where login = 'gone'`.execute(forge.db)
    assert.equal((await browser.submit(evil.request(), 'allow', { account: 'gone' })).status, 401)
  },
  'consent without a question for a public client': async () => {
    await native.tokens(ann, 'ann')
    assert.equal((await ann.get(native.request())).status, 200)
  },
  'a missing secret': async () =>
    assertRefused(await web.exchange('goc_', { client_secret: undefined }), 'invalid_client'),
  'a wrong secret': async () =>
    assertRefused(await web.exchange('goc_', { client_secret: evil.app.client_secret }), 'invalid_client'),
  'a secret in the query': async () => {
    const path = `access_token?client_secret=${web.app.client_secret}`
    const told = await web.post<object>(path, { grant_type: 'refresh_token', client_secret: undefined })
    assertRefused(told, 'invalid_client')
  },
  'two proofs of a client': async () => {
    const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:x`).toString('base64')}` })
    assertRefused(
      await web.post<object>('revoke', { token: 'x' }, basic(evil.app.client_id)),
      'invalid_request',
    )
  },
  'the secret of a deleted application, and a secret that was replaced': async () => {
    const client = await Client.register(forge, 'dev')
    const { refresh_token } = await client.tokens(ann, 'ann')
    const path = `/user/applications/oauth2/${client.app.id}`
    await forge.call('dev', 'PATCH', path, { name: 'app', redirect_uris: [BACK], confidential_client: true })
    assertRefused(await client.refresh(refresh_token), 'invalid_client')
    await forge.call('dev', 'DELETE', path)
    assertRefused(await client.refresh(refresh_token), 'invalid_client')
  },
  'the application of a suspended developer': async () => {
    await forge.person('mallory')
    const client = await Client.register(forge, 'mallory')
    await sql`update account set is_suspended = true where login = 'mallory'`.execute(forge.db)
    await assertOnPage(client.request())
  },
  'a token in an address': async () => {
    const { access_token } = await web.tokens(ann, 'ann')
    for (const path of ['/login/oauth/userinfo', '/api/v1/user'])
      assert.equal((await get(`${path}?access_token=${access_token}`)).status, 401)
  },
  'an ID token, or one without a signature, in place of an access token': async () => {
    const { id_token } = await web.tokens(ann, 'ann')
    const [, claims] = id_token.split('.')
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`
    for (const token of [id_token, unsigned])
      for (const path of ['/login/oauth/userinfo', '/api/v1/user'])
        assert.equal((await get(path, { authorization: `Bearer ${token}` })).status, 401)
  },
  'an ID token for another application': async () => {
    const { id_token } = await web.tokens(ann, 'ann')
    const claims = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString())
    assert.deepEqual([claims.aud, claims.iss], [web.app.client_id, 'http://forge.test'])
  },
  'introspection by another application, by a public one, and by nobody': async () => {
    const { access_token: token } = await web.tokens(ann, 'ann')
    assert.deepEqual((await evil.post<object>('introspect', { token })).body, { active: false })
    assertRefused(await native.post<object>('introspect', { token }), 'unauthorized_client')
    assertRefused(await post<object>(forge, 'introspect', { token }), 'invalid_client')
  },
  'revocation by another application': async () => {
    const { access_token, refresh_token } = await web.tokens(ann, 'ann')
    for (const token of [access_token, refresh_token]) await evil.post('revoke', { token })
    assert.equal(await web.reach(access_token), 200)
    assert.equal((await web.refresh(refresh_token)).status, 200)
  },
  'a token that makes one without an end': async () => {
    const { access_token } = await web.tokens(ann, 'ann', { scope: 'all' })
    const authorization = `Basic ${Buffer.from(`ann:${access_token}`).toString('base64')}`
    const answer = await fetch(`${forge.base}/api/v1/users/ann/tokens`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'for ever', scopes: ['read:user'] }),
    })
    assert.equal(answer.status, 403)
  },
  'user info with a token that does not sign in': async () => {
    const { access_token } = await web.tokens(ann, 'ann', { scope: 'read:user' })
    const authorization = `Bearer ${access_token}`
    assert.equal((await get('/login/oauth/userinfo', { authorization })).status, 403)
    const own = { authorization: `Bearer ${forge.tokenOf('ann')}` }
    assert.equal((await get('/login/oauth/userinfo', own)).status, 403)
  },
}

test('attacks are refused', async (t) => {
  for (const [what, attack] of Object.entries(ATTACKS))
    await t.test(what, async () => {
      await attack()
    })
})

/** Everything that ends the access of an application, on the next request. */
const ENDINGS: Readonly<
  Record<string, (made: { client: Client; login: string; browser: Browser }) => Promise<unknown>>
> = {
  'the user revokes the application': async ({ browser }) => {
    const page = await browser.get('/user/settings/applications')
    const [, id = ''] = /name="form" value="revoke-grant">.*?name="id" value="(\d+)"/s.exec(page.text) ?? []
    assert.equal((await browser.submit('/user/settings/applications', 'revoke-grant', { id })).status, 303)
  },
  'its developer deletes the application': ({ client }) =>
    forge.call('dev', 'DELETE', `/user/applications/oauth2/${client.app.id}`),
  'the password changes': async ({ login }) =>
    forge.call('root', 'PATCH', `/admin/users/${login}`, {
      login_name: login,
      source_id: 0,
      password: 'another one',
    }),
  'signing in is prohibited': ({ login }) =>
    forge.call('root', 'PATCH', `/admin/users/${login}`, {
      login_name: login,
      source_id: 0,
      prohibit_login: true,
    }),
  'the account is suspended': ({ login }) =>
    sql`update account set is_suspended = true where login = ${login}`.execute(forge.db),
}

test('the access of an application ends at once', async (t) => {
  await forge.person('root', { is_admin: true })
  for (const [number, [what, end]] of Object.entries(ENDINGS).entries())
    await t.test(`when ${what}`, async () => {
      const login = `end-${number}`
      await forge.person(login)
      const browser = await forge.browserOf(login)
      const client = await Client.register(forge, 'dev')
      const tokens = await client.tokens(browser, login)
      const code = await client.code(browser, login)
      assert.equal(await client.reach(tokens.access_token), 200)
      await end({ client, login, browser })
      assert.ok([401, 403].includes(await client.reach(tokens.access_token)))
      assert.ok([400, 401].includes((await client.refresh(tokens.refresh_token)).status))
      assert.ok([400, 401].includes((await client.exchange(code)).status))
    })
})

test('the key of ID tokens is published before it signs, and removed after its last token', async () => {
  const kids = async () => {
    const answer = await fetch(`${forge.base}/login/oauth/keys`)
    const { keys } = (await answer.json()) as { keys: { kid: string; alg: string; d?: string }[] }
    assert.ok(keys.every(({ alg, d }) => alg === 'RS256' && d === undefined))
    return keys.map(({ kid }) => kid)
  }
  const signedBy = async () => {
    const { id_token } = await web.tokens(await forge.browserOf('ann'), 'ann')
    return JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString()).kid
  }
  const DAY_MS = 86_400_000
  const [first] = await kids()
  assert.equal(await signedBy(), first)
  forge.advance(89 * DAY_MS)
  for (let again = 0; again < 2; again++) await forge.runTask('rotate_oauth2_keys')
  const [next, ...others] = await kids()
  assert.deepEqual(others, [first])
  assert.equal(await signedBy(), first)
  forge.advance(2 * DAY_MS)
  assert.equal(await signedBy(), next)
  await forge.runTask('rotate_oauth2_keys')
  assert.deepEqual(await kids(), [next, first])
  forge.advance(DAY_MS)
  await forge.runTask('rotate_oauth2_keys')
  assert.deepEqual(await kids(), [next])
})

test('ended codes and tokens are swept, and a token takes one statement', async () => {
  const browser = await forge.browserOf('ann')
  const tokens = await native.tokens(browser, 'ann')
  await native.reach(tokens.access_token)
  assert.equal(await forge.countQueries(() => native.reach(tokens.access_token)), 1)
  forge.advance(31 * 86_400_000)
  for (const task of ['sweep_oauth2', 'sweep_access_tokens']) await forge.runTask(task)
  const { rows } = await sql<{ left: string }>`
    select (select count(*) from oauth2_code) + (select count(*) from oauth2_refresh_token)
      + (select count(*) from oauth2_token_family)
      + (select count(*) from access_token where family_id is not null) as left`.execute(forge.db)
  assert.equal(Number(rows[0]?.left), 0)
})
