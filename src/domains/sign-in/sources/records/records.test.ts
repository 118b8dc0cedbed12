/** Authentication sources: administrators manage them by REST, by pages and by command, and secrets are shown nowhere. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Forge, startForge } from '#testing'
import { runCommand } from '#testing/run-command'

const SECRET = 'hush hush hush'
const oidc = { issuer: 'https://id.example.test', client_id: 'forge' }
let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  await forge.person('root', { is_admin: true })
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())

const add = (name: string, more: object = {}) =>
  forge.call('root', 'POST', '/admin/auths', { name, secret: SECRET, oidc, ...more })

test('a source is added with defaults, edited and deleted, and its secret is in no answer and no row', async () => {
  const { status, body } = await add('company')
  assert.equal(status, 201)
  assert.deepEqual(body.oidc, {
    ...oidc,
    scopes: ['openid', 'profile', 'email'],
    username_claim: 'preferred_username',
    groups_claim: 'groups',
  })
  assert.equal(body.callback_url, 'http://forge.test/user/oauth2/company/callback')
  const edited = await forge.call('root', 'PATCH', `/admin/auths/${body.id}`, {
    is_only_way: true,
    oidc: { groups_claim: 'roles' },
  })
  assert.deepEqual([edited.body.is_only_way, edited.body.oidc.groups_claim], [true, 'roles'])
  assert.equal(edited.body.has_secret, true)
  const listed = await forge.call('root', 'GET', '/admin/auths')
  assert.equal(listed.body.length, 1)
  const { rows } = await sql<{ row: string }>`
    select authentication_source::text as row from authentication_source`.execute(forge.db)
  const texts = [
    ...rows.map(({ row }) => row),
    ...[body, edited.body, listed.body].map((it) => JSON.stringify(it)),
  ]
  assert.ok(texts.every((text) => !text.includes(SECRET)))
  assert.equal((await forge.call('root', 'DELETE', `/admin/auths/${body.id}`)).status, 204)
  assert.equal((await forge.call('root', 'GET', `/admin/auths/${body.id}`)).status, 404)
})

test('only site administrators see and change sources', async () => {
  const { body } = await add('hidden')
  const path = `/admin/auths/${body.id}`
  for (const [method, at, sent] of [
    ['GET', '/admin/auths'],
    ['GET', path],
    ['POST', '/admin/auths', { name: 'own', oidc }],
    ['PATCH', path, { is_enabled: false }],
    ['DELETE', path],
  ] as const) {
    assert.equal((await forge.call('ann', method, at, sent)).status, 403, `${method} ${at}`)
    assert.equal((await forge.call(null, method, at, sent)).status, 401, `${method} ${at}`)
  }
  assert.equal((await (await forge.browserOf('ann')).get(`/-/admin/auths/${body.id}`)).status, 403)
})

for (const [what, more] of [
  ['an issuer without TLS', { oidc: { ...oidc, issuer: 'http://id.example.test' } }],
  ['an issuer with credentials', { oidc: { ...oidc, issuer: 'https://a:b@id.example.test' } }],
  ['an issuer with a query', { oidc: { ...oidc, issuer: 'https://id.example.test/?tenant=1' } }],
  ['no settings', { oidc: undefined }],
  ['a name with a slash', { name: 'a/b' }],
  ['a name that is taken', { name: 'HIDDEN' }],
] as const)
  test(`a source with ${what} is refused`, async () => {
    assert.equal((await add('odd', more)).status, 422)
  })

test('an administrator adds, edits and deletes a source on its pages', async () => {
  const browser = await forge.browserOf('root')
  const fields = {
    name: 'paged',
    ...oidc,
    scopes: 'openid email',
    username_claim: 'sub',
    groups_claim: 'groups',
  }
  const added = await browser.submit('/-/admin/auths/new', 'create', {
    ...fields,
    secret: SECRET,
    is_enabled: 'true',
  })
  assert.equal(added.status, 303)
  const at = added.headers.get('location') ?? ''
  const shown = await browser.get(at)
  assert.ok(shown.text.includes('/user/oauth2/paged/callback') && !shown.text.includes(SECRET))
  assert.equal((await browser.submit(at, 'edit', { ...fields, client_id: 'other', secret: '' })).status, 303)
  const listed = await forge.call('root', 'GET', at.replace('/-', ''))
  assert.deepEqual(
    [listed.body.oidc.client_id, listed.body.is_enabled, listed.body.has_secret],
    ['other', false, true],
  )
  assert.ok((await browser.get('/-/admin/auths')).text.includes('paged'))
  assert.equal((await browser.submit(at, 'delete', {})).status, 303)
  assert.equal((await browser.get(at)).status, 404)
})

test('an administrator adds a directory on its page, with defaults of its type', async () => {
  const browser = await forge.browserOf('root')
  const shown = await browser.get('/-/admin/auths/new?type=ldap')
  const fields: Record<string, string> = {}
  for (const [, name = '', value = ''] of shown.text.matchAll(
    /<input id="field-\w+" name="(\w+)"[^>]* value="([^"]*)"/g,
  ))
    fields[name] = value
  const more = {
    name: 'directory',
    host: 'ldap.example.test',
    base_dn: 'dc=example',
    secret: SECRET,
    type: 'ldap',
  }
  const sent = { ...fields, security: 'starttls', port: '389', ...more }
  const added = await browser.submit('/-/admin/auths/new?type=ldap', 'create', sent)
  assert.equal(added.status, 303)
  const { body } = await forge.call('root', 'GET', (added.headers.get('location') ?? '').replace('/-', ''))
  assert.deepEqual(
    [body.type, body.ldap.port, body.ldap.user_filter, body.ldap.subject_attribute, body.callback_url],
    ['ldap', 389, '(uid=%s)', 'entryUUID', undefined],
  )
  const both = { name: 'both', oidc, ldap: { host: 'a.test', base_dn: 'dc=a', user_filter: '(uid=%s)' } }
  assert.equal((await forge.call('root', 'POST', '/admin/auths', both)).status, 422)
  assert.equal((await forge.call('root', 'PATCH', `/admin/auths/${body.id}`, { oidc: {} })).status, 422)
  const filter = { ldap: { user_filter: 'uid=%s' } }
  assert.equal((await forge.call('root', 'PATCH', `/admin/auths/${body.id}`, filter)).status, 422)
})

test('an operator adds, edits, lists and deletes a source by command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-auth-'))
  const file = join(folder, 'source.json')
  const run = async (words: string[], input?: object) => {
    if (input !== undefined) await writeFile(file, JSON.stringify(input))
    return runCommand(forge.world, ['admin', 'auth', ...words])
  }
  assert.equal((await run(['add', file], { name: 'typed', secret: SECRET, oidc: { issuer: 1 } })).code, 1)
  assert.equal((await run(['add', file], { name: 'typed', secret: SECRET, oidc })).code, 0)
  assert.equal((await run(['edit', 'typed', file], { is_enabled: false })).code, 0)
  const { stdout } = await run(['list'])
  assert.match(stdout, /"name":"typed","is_enabled":false/)
  assert.ok(!stdout.includes(SECRET))
  await run(['delete', 'typed'])
  assert.ok(!(await run(['list'])).stdout.includes('typed'))
  await rm(folder, { recursive: true })
})
