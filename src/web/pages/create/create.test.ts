/** Creation of repositories and organizations in a browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

test('a repository is created with initial files, for a user and for an organization', async () => {
  const browser = await forge.browserOf('ann')
  const fields = { owner: 'ann', name: 'forge', description: 'iron', private: 'true', auto_init: 'true' }
  const made = await browser.submit('/repo/create', 'create', {
    ...fields,
    license: 'MIT',
    default_branch: 'trunk',
  })
  assert.equal(made.headers.get('location'), '/ann/forge')
  const { body } = await forge.call('ann', 'GET', '/repos/ann/forge')
  assert.deepEqual([body.private, body.empty, body.default_branch], [true, false, 'trunk'])
  await browser.submit('/org/create', 'create', { username: 'smithy', visibility: 'public' })
  const other = await browser.submit('/repo/create', 'create', { owner: 'smithy', name: 'anvil' })
  assert.equal(other.headers.get('location'), '/smithy/anvil')
  const bob = await forge.browserOf('bob')
  assert.equal((await bob.submit('/repo/create', 'create', { owner: 'smithy', name: 'no' })).status, 422)
})

test('a refused form keeps its fields and shows the reason, and anonymous users are redirected to sign in', async () => {
  const browser = await forge.browserOf('ann')
  const fields = { owner: 'ann', name: 'forge', description: '<b>kept</b>' }
  const refused = await browser.submit('/repo/create', 'create', fields)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /role="alert"[^>]*>[^<]*exist/)
  assert.match(refused.text, /value="&lt;b&gt;kept&lt;\/b&gt;"/)
  const stranger = await forge.browser().get('/repo/create')
  assert.equal(stranger.headers.get('location'), '/user/login?redirect_to=%2Frepo%2Fcreate')
  const sent = await forge
    .browser()
    .submit('/repo/create', 'create', { name: 'lost', description: 'my words' })
  assert.equal(sent.status, 401)
  assert.match(sent.text, /my words/)
})

test('a repository is created from a template', async () => {
  const browser = await forge.browserOf('ann')
  await browser.submit('/repo/create', 'create', {
    name: 'mould',
    owner: 'ann',
    auto_init: 'true',
    template: 'true',
  })
  const fields = { template_of: 'ann/mould', new_owner: 'ann', new_name: 'cast' }
  assert.equal(
    (await browser.submit('/repo/create', 'generate', fields)).headers.get('location'),
    '/ann/cast',
  )
  const wrong = await browser.submit('/repo/create', 'generate', { ...fields, template_of: 'nonsense' })
  assert.equal(wrong.status, 422)
})

test('a repository is forked by a user who may see it', async () => {
  const browser = await forge.browserOf('bob')
  assert.equal((await browser.get('/ann/forge/fork')).status, 404, 'it is private')
  const forked = await browser.submit('/ann/mould/fork', 'fork', { owner: 'bob', name: 'copy' })
  assert.equal(forked.headers.get('location'), '/bob/copy')
  assert.equal((await forge.call('bob', 'GET', '/repos/bob/copy')).body.parent.full_name, 'ann/mould')
})

test('an import is started, and its progress is visible only to the user who started it', async () => {
  const browser = await forge.browserOf('ann')
  const fields = { clone_addr: 'https://nowhere.invalid/ore.git', repo_name: 'ore', owner: 'ann' }
  const begun = await browser.submit('/repo/migrate', 'migrate', fields)
  const page = begun.headers.get('location') ?? ''
  assert.match(page, /^\/repo\/migrate\/\d+$/)
  assert.match((await browser.get(page)).text, /The import is queued/)
  assert.equal((await (await forge.browserOf('bob')).get(page)).status, 404)
  const refused = await browser.submit('/repo/migrate', 'migrate', { ...fields, clone_addr: 'file:///etc' })
  assert.equal(refused.status, 422)
  const long = await browser.submit('/repo/migrate', 'migrate', {
    ...fields,
    clone_addr: `https://${'a'.repeat(3000)}`,
  })
  assert.equal(long.status, 422)
})
