import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setPassword } from '#domains/people/users'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())
const ann = await forge.person('ann')
await setPassword(forge.ctx, ann, 'correct horse')

test('a user signs in with a password, sees their sessions, and signs out', async () => {
  const browser = forge.browser()
  const wrong = await browser.submit('/user/login', 'sign-in', { user_name: 'ann', password: 'nonsense' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Wrong username, password or code/)
  assert.match(wrong.text, /value="ann"/)
  const right = await browser.submit('/user/login', 'sign-in', {
    user_name: 'ann',
    password: 'correct horse',
  })
  assert.equal(right.status, 303)
  const sessions = await browser.get('/user/settings/security')
  assert.match(sessions.text, /this browser/)
  await browser.submit('/user/logout', 'sign-out', {})
  const gone = await browser.get('/user/settings/security')
  assert.equal(gone.headers.get('location'), '/user/login?redirect_to=%2Fuser%2Fsettings%2Fsecurity')
})

test('a passkey challenge is served, and cross-site requests for it get 403', async () => {
  const browser = forge.browser()
  assert.match((await browser.get('/user/login')).text, /autocomplete="username webauthn"/)
  const offered = await browser.post('/-/passkey', new URLSearchParams())
  const { step, options } = JSON.parse(offered.text)
  assert.ok(step.length > 20 && options.challenge.length > 20)
  const forged = await browser.post('/-/passkey', new URLSearchParams(), { 'sec-fetch-site': 'cross-site' })
  assert.equal(forged.status, 403)
})

test('redirects after sign-in never leave the site, however the address is written', async () => {
  const hostile = [
    '/\t/evil.example/',
    '/\\evil.example',
    '//evil.example',
    '/.//evil.example',
    '/\n/evil.example',
  ]
  for (const to of hostile) {
    const browser = forge.browser()
    const fields = { user_name: 'ann', password: 'correct horse', to }
    assert.equal((await browser.submit('/user/login', 'sign-in', fields)).headers.get('location'), '/')
    const again = await browser.get(`/user/login?redirect_to=${encodeURIComponent(to)}`)
    assert.equal(again.headers.get('location'), '/', JSON.stringify(to))
    const view = { name: 'evil', path: to, query: '' }
    assert.notEqual((await browser.submit('/-/views', 'save', view)).status, 303, JSON.stringify(to))
  }
})
