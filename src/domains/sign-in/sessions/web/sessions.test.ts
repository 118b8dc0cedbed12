/** Browser sessions, end to end on two nodes. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { setPassword } from '#domains/people/users'
import { must } from '#platform/must'
import { startForge } from '#testing'

const forge = await startForge({ nodes: 2 })
after(() => forge[Symbol.asyncDispose]())
const ann = await forge.person('ann')
await forge.person('root', { is_admin: true })
await setPassword(forge.ctx, ann, 'correct horse')
await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })

const HOME = '/user/settings/security'
const SIGN_IN = '/user/login'
const CREDENTIALS = { user_name: 'ann', password: 'correct horse' }

beforeEach(async () => {
  await forge.db.deleteFrom('sign_in_failure').execute()
})

async function signedIn() {
  const browser = forge.browser()
  assert.equal((await browser.submit(SIGN_IN, 'sign-in', CREDENTIALS)).status, 303)
  return browser
}

async function isIn(browser: Awaited<ReturnType<typeof signedIn>>): Promise<boolean> {
  const { status } = await browser.get(HOME)
  assert.ok(status === 200 || status === 303, String(status))
  return status === 200
}

test('a session cookie that was set before sign-in is replaced and not valid', async () => {
  const browser = forge.browser()
  const planted = 'A'.repeat(43)
  browser.cookies.set('session', planted)
  await browser.submit(SIGN_IN, 'sign-in', CREDENTIALS)
  assert.notEqual(browser.cookies.get('session'), planted)
  assert.equal(await isIn(browser), true)
  const thief = forge.browser()
  thief.cookies.set('session', planted)
  assert.equal(await isIn(thief), false)
})

test('the session cookie is HttpOnly and SameSite=Lax, and only its digest is stored', async () => {
  const browser = forge.browser()
  const answer = await browser.submit(SIGN_IN, 'sign-in', CREDENTIALS)
  const cookie = must(
    answer.headers.getSetCookie().find((it) => it.startsWith('session=')),
    'a session',
  )
  assert.match(cookie, /; HttpOnly/)
  assert.match(cookie, /; SameSite=Lax/)
  const token = must(browser.cookies.get('session'), 'a token')
  const rows = await forge.db.selectFrom('web_session').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(token))
  assert.ok(rows.every(({ digest }) => digest.length === 32))
})

test('a cross-site request is refused, whatever cookies it has', async () => {
  const browser = await signedIn()
  const fields = { name: 'stolen', owner: 'ann' }
  const before = (await forge.call('ann', 'GET', '/users/ann/repos')).body.length
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://forge.test' },
  ])
    assert.equal((await browser.submit('/repo/create', 'create', fields, headers)).status, 403)
  const body = new URLSearchParams({ form: 'create', ...fields })
  const cookie = `session=${browser.cookies.get('session')}`
  for (const origin of ['http://evil.test', 'null']) {
    const headers = { cookie, origin, accept: 'text/html' }
    const answer = await fetch(`${forge.base}/repo/create`, { method: 'POST', body, headers })
    assert.equal(answer.status, 403, origin)
  }
  assert.equal((await forge.call('ann', 'GET', '/users/ann/repos')).body.length, before)
})

test('a session authenticates pages, but not the REST API', async () => {
  const browser = await signedIn()
  const cookie = `session=${browser.cookies.get('session')}`
  const answer = await fetch(`${forge.base}/api/v1/user`, { headers: { cookie } })
  assert.equal(answer.status, 401)
})

test('a session that is ended elsewhere is not valid for the next request on any node', async () => {
  const [here, there] = [await signedIn(), await signedIn()]
  assert.equal(await isIn(there), true)
  assert.equal(await isIn(there), true)
  assert.equal((await here.submit(HOME, 'end-others', {})).status, 303)
  assert.equal(await isIn(there), false)
  assert.equal(await isIn(there), false)
  assert.equal(await isIn(here), true)
})

test('a user cannot end sessions of another user', async () => {
  const [browser, stranger] = [await signedIn(), await forge.browserOf('root')]
  const { id } = await forge.db
    .selectFrom('web_session')
    .select('id')
    .where('account_id', '=', ann.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal((await stranger.submit(HOME, 'end-session', { id: String(id) })).status, 422)
  assert.equal(await isIn(browser), true)
})

test('changing the password ends all other sessions, and a change by an administrator ends all', async () => {
  const [here, there] = [await signedIn(), await signedIn()]
  const fields = { password: 'battery staple', again: 'battery staple' }
  const changed = await here.submit('/user/settings/account', 'password', fields)
  assert.equal(changed.status, 303)
  assert.equal(await isIn(there), false)
  assert.equal(await isIn(here), true)
  // Set by an administrator, it ends all sessions.
  forge.advance(1_000)
  await forge.call('root', 'PATCH', '/admin/users/ann', {
    password: 'correct horse',
    must_change_password: false,
  })
  assert.equal(await isIn(here), false)
})

test('a suspended account is signed out', async () => {
  const browser = await signedIn()
  await forge.call('root', 'PATCH', '/admin/users/ann', { prohibit_login: true })
  assert.equal(await isIn(browser), false)
  assert.equal((await browser.submit(SIGN_IN, 'sign-in', CREDENTIALS)).status, 422)
  await forge.call('root', 'PATCH', '/admin/users/ann', { prohibit_login: false })
  assert.equal((await browser.submit(SIGN_IN, 'sign-in', CREDENTIALS)).status, 303)
})

test('a session ends when idle for too long, and at its maximum age', async () => {
  const [idle, busy] = [await signedIn(), await signedIn()]
  const days = (number: number) => forge.advance(number * 86_400_000)
  days(10)
  assert.equal(await isIn(busy), true)
  days(10)
  assert.equal(await isIn(idle), false)
  for (let used = 0; used < 7; used++) {
    assert.equal(await isIn(busy), true)
    days(10)
  }
  assert.equal(await isIn(busy), false, 'ninety days are over')
})

test('dangerous forms require the password again after ten minutes, keep their fields, and renew the token', async () => {
  const browser = await signedIn()
  await forge.call('ann', 'POST', '/user/repos', { name: 'scrap' })
  const settings = '/ann/scrap/settings'
  forge.advance(11 * 60_000)
  const asked = await browser.submit(settings, 'delete', { confirm: 'scrap' })
  assert.equal(asked.status, 403)
  assert.match(asked.text, /name="confirm" value="scrap"/)
  const wrong = await browser.submit(settings, 'delete', { confirm: 'scrap', confirm_password: 'nonsense' })
  assert.equal(wrong.status, 403)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/scrap')).status, 200)
  const before = must(browser.cookies.get('session'), 'a session')
  const done = await browser.submit(settings, 'delete', {
    confirm: 'scrap',
    confirm_password: 'correct horse',
  })
  assert.equal(done.status, 303)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/scrap')).status, 404)
  assert.notEqual(browser.cookies.get('session'), before)
  const stale = forge.browser()
  stale.cookies.set('session', before)
  assert.equal(await isIn(stale), false)
  assert.equal(await isIn(browser), true)
})

for (const to of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])
  test(`sign-in does not redirect to ${to}`, async () => {
    const browser = forge.browser()
    const shown = await browser.get(`${SIGN_IN}?redirect_to=${encodeURIComponent(to)}`)
    assert.match(shown.text, /name="to" value="\/"/)
    const answer = await browser.submit(SIGN_IN, 'sign-in', { ...CREDENTIALS, to })
    assert.equal(answer.headers.get('location'), '/')
  })
