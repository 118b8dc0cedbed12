/** Pages accept only a browser session; elsewhere tokens are limited by their scopes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPassword } from '#domains/people/users'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  const ann = await forge.person('ann')
  await setPassword(forge.ctx, ann, 'correct horse')
  await forge.person('narrow', {}, ['read:misc'])
  await forge.call('ann', 'POST', '/user/repos', { name: 'hidden', private: true, auto_init: true })
  await forge.call('ann', 'PUT', '/repos/ann/hidden/collaborators/narrow', { permission: 'admin' })
})
after(() => forge[Symbol.asyncDispose]())

const bearer = (login: string) => ({ authorization: `token ${forge.tokenOf(login)}` })
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

test('a page is anonymous for every token and password, whatever the credential permits elsewhere', async () => {
  const credentials = [
    bearer('narrow'),
    bearer('ann'),
    basic('ann:correct horse'),
    { authorization: 'token wrong' },
  ]
  for (const headers of credentials) {
    assert.equal((await forge.browser().get('/ann/hidden', headers)).status, 404)
    assert.equal((await forge.browser().get('/user/settings/account', headers)).status, 303)
  }
})

test('a page is shown to its session, whatever other credentials the request has', async () => {
  const ann = await forge.browserOf('ann')
  assert.equal((await ann.get('/ann/hidden', bearer('narrow'))).status, 200)
  assert.equal((await ann.get('/ann/hidden', { authorization: 'token wrong' })).status, 200)
})

test('a page ignores sudo, even of an administrator', async () => {
  await forge.person('root', { is_admin: true })
  const root = await forge.browserOf('root')
  const shown = await root.get('/user/settings/account', { sudo: 'ann' })
  assert.match(shown.text, /root@example\.test/)
  assert.doesNotMatch(shown.text, /ann@example\.test/)
})

test('a form submitted with a token changes nothing', async () => {
  for (const login of ['narrow', 'ann']) {
    const browser = forge.browser()
    const made = await browser.submit(
      '/ann/hidden/branches',
      'new',
      { name: 'by-token', from: 'main' },
      bearer(login),
    )
    assert.notEqual(made.status, 303)
    const email = { email: 'evil@evil.test' }
    assert.notEqual((await browser.submit('/user/settings/account', 'add', email, bearer(login))).status, 303)
    const draft = new URLSearchParams({ place: 'issue:1', text: 'x' })
    assert.equal((await browser.post('/-/draft', draft, bearer(login))).status, 401)
    assert.equal((await forge.call(login, 'GET', '//-/live')).status, 401)
  }
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/hidden/branches/by-token')).status, 404)
  assert.equal((await forge.call('ann', 'GET', '/user/emails')).body.length, 1)
})

test('a feed checks the scopes of a token like the operation that lists the same', async () => {
  for (const path of [
    '/ann/hidden.rss',
    '/ann/hidden/releases.atom',
    '/ann/hidden/rss/branch/main',
    '/ann.rss',
  ]) {
    assert.equal((await forge.call('narrow', 'GET', `/${path}`)).status, 403, path)
    assert.equal((await forge.call('ann', 'GET', `/${path}`)).status, 200, path)
  }
  assert.equal((await forge.call(null, 'GET', '//ann.rss')).status, 200)
})

test('a raw file checks the scopes of a token', async () => {
  const path = '//ann/hidden/raw/branch/main/README.md'
  assert.equal((await forge.call('narrow', 'GET', path)).status, 403)
  assert.equal((await forge.call('ann', 'GET', path)).status, 200)
})
