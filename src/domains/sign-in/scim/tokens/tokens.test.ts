/** SCIM tokens on the page of a source and at the machine: shown once, listed, revoked. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { ScimTestClient } from '#testing/slices/scim'

let forge: Forge
let scim: ScimTestClient
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
  scim = await ScimTestClient.of(forge, 'root', 'corp')
})
after(() => forge[Symbol.asyncDispose]())

const statusOf = async (token: string) =>
  (await forge.call(null, 'GET', '//scim/v2/Users', undefined, { authorization: `Bearer ${token}` })).status

test('the page of a source creates a token, shows it once and revokes it', async () => {
  const browser = await forge.browserOf('root')
  const path = `/-/admin/auths/${scim.source}`
  const made = await browser.submit(path, 'scim-token', { scim_name: 'okta' })
  const [token = ''] = /scim_[0-9a-f]{64}/.exec(made.text) ?? []
  assert.equal(await statusOf(token), 200)
  const page = (await browser.get(path)).text
  assert.match(page, /okta/)
  assert.match(page, /\/scim\/v2/)
  assert.ok(!page.includes(token))
  const { body } = await forge.call('root', 'GET', `/admin/auths/${scim.source}/scim_tokens`)
  const { id } = body.find(({ name }: { name: string }) => name === 'okta')
  await browser.submit(path, 'drop-scim-token', { token: String(id) })
  assert.equal(await statusOf(token), 401)
})

test('the command line creates, lists and revokes tokens', async () => {
  const run = (...words: string[]) => runCommand(forge.world, ['admin', 'auth', 'scim', ...words])
  const { stdout, code } = await run('create', 'corp', 'by hand')
  assert.equal(code, 0)
  const token = stdout.trim()
  assert.equal(await statusOf(token), 200)
  const listed = (await run('list', 'corp')).stdout
  assert.match(listed, /by hand/)
  assert.ok(!listed.includes(token))
  assert.equal((await run('revoke', 'corp', 'by hand')).code, 0)
  assert.equal(await statusOf(token), 401)
  assert.equal((await run('revoke', 'corp', 'by hand')).code, 1)
})

test('a disabled source refuses its clients, and people who are no administrators make no tokens', async () => {
  await forge.call('root', 'PATCH', `/admin/auths/${scim.source}`, { is_enabled: false })
  assert.equal(await statusOf(scim.token), 403)
  await forge.call('root', 'PATCH', `/admin/auths/${scim.source}`, { is_enabled: true })
  const path = `/admin/auths/${scim.source}/scim_tokens`
  assert.equal((await forge.call('ann', 'POST', path, { name: 'mine' })).status, 403)
  assert.equal((await forge.call('root', 'POST', path, { name: 'provisioning' })).status, 422)
})
