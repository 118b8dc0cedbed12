/** Editing a repository: name, visibility, default branch, archiving; permissions and events. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'eve']) await forge.person(login)
  await forge.person('root', { is_admin: true })
})
after(() => forge[Symbol.asyncDispose]())

const make = (name: string, body: object = {}) => forge.call('ann', 'POST', '/user/repos', { name, ...body })
const edit = (name: string, body: object, as: string | null = 'ann') =>
  forge.call(as, 'PATCH', `/repos/ann/${name}`, body)
const told = async (name: string) =>
  (await forge.db.selectFrom('event').selectAll().orderBy('id').execute())
    .filter(({ payload }) => (payload as { name: string }).name === name)
    .map(({ subject }) => subject)

for (const [as, status] of [
  [null, 401],
  ['bob', 403],
  ['ann', 200],
  ['root', 200],
] as const)
  test(`${as ?? 'anonymous'} edits a description: ${status}`, async () => {
    await make('described')
    assert.equal((await edit('described', { description: 'new' }, as)).status, status)
  })

test('an edit with one invalid field changes nothing', async () => {
  await make('whole')
  await make('taken')
  const refused = await edit('whole', { description: 'half', has_wiki: false, archived: true, name: 'taken' })
  assert.equal(refused.status, 422)
  const { body } = await forge.call('ann', 'GET', '/repos/ann/whole')
  assert.deepEqual([body.description, body.has_wiki, body.archived], ['', true, false])
  assert.deepEqual(await told('whole'), ['repository.created'])
})

test('concurrent edits of different fields are all kept', async () => {
  await make('busy')
  const edits = [
    { has_wiki: false },
    { has_releases: false },
    { allow_rebase: false },
    { has_packages: false },
  ]
  const answers = await Promise.all(edits.map((body) => edit('busy', body)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const { body } = await forge.call('ann', 'GET', '/repos/ann/busy')
  assert.deepEqual(
    [body.has_wiki, body.has_releases, body.allow_rebase, body.has_packages],
    [false, false, false, false],
  )
})

test('the old name of a renamed repository redirects, for sub-paths and for git, too', async () => {
  await make('before', { auto_init: true })
  assert.equal((await edit('before', { name: 'After' })).body.full_name, 'ann/After')
  const moved = await forge.call(null, 'GET', '/repos/ann/BEFORE/languages?x=1&y=2')
  assert.equal(moved.status, 301)
  assert.equal(moved.headers.get('location'), '/api/v1/repos/ann/After/languages?x=1&y=2')
  assert.equal((await edit('before', { description: 'x' })).status, 308)
  await using git = await GitClient.open(forge, 'ann', 'ann/before')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.commit('new.txt', 'new')
  await git.ok('push', '--quiet', 'origin', 'HEAD:main')
  assert.deepEqual(await told('After'), ['repository.renamed'])
})

test('the redirect of a renamed private repository is 404 for users who may not see it', async () => {
  await make('secret', { private: true })
  await edit('secret', { name: 'hidden' })
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/secret')).status, 301)
  assert.equal((await forge.call('bob', 'GET', '/repos/ann/secret')).status, 404)
  assert.equal((await forge.call(null, 'GET', '/repos/ann/secret')).status, 404)
})

test('a name that redirects can be taken by a new or a renamed repository', async () => {
  await make('first')
  await edit('first', { name: 'second' })
  assert.equal((await make('first')).status, 201)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/first')).body.name, 'first')
  await edit('second', { name: 'third' })
  assert.equal((await edit('first', { name: 'second' })).status, 200)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/second')).body.name, 'second')
  assert.equal((await edit('third', { name: 'THIRD' })).body.name, 'THIRD')
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/third')).status, 200)
})

test('making a repository private removes its stars and watches from all counters', async () => {
  await make('loud')
  for (const as of ['bob', 'eve']) await forge.call(as, 'PUT', '/user/starred/ann/loud')
  const starred = async () => (await forge.call(null, 'GET', '/users/bob')).body.starred_repos_count
  assert.equal(await starred(), 1)
  const hidden = await edit('loud', { private: true })
  assert.deepEqual([hidden.body.stars_count, hidden.body.watchers_count], [0, 0])
  assert.equal(await starred(), 0)
  assert.equal((await forge.call('bob', 'GET', '/repos/ann/loud')).status, 404)
  assert.equal((await edit('loud', { private: false })).body.watchers_count, 0)
  assert.deepEqual((await told('loud')).slice(-2), ['repository.hidden', 'repository.published'])
})

test('deleting a repository removes its stars from the users’ counters', async () => {
  await make('gone')
  const starred = async () => (await forge.call(null, 'GET', '/users/eve')).body.starred_repos_count
  const before = await starred()
  await forge.call('eve', 'PUT', '/user/starred/ann/gone')
  assert.equal(await starred(), before + 1)
  await forge.call('ann', 'DELETE', '/repos/ann/gone')
  assert.equal(await starred(), before)
})

test('changing the default branch changes HEAD, and is ignored for a missing branch', async () => {
  await make('branched', { auto_init: true })
  await using git = await GitClient.open(forge, 'ann', 'ann/branched')
  await git.ok('pull', '--quiet', 'origin', 'main')
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/next')
  const head = async () => (await git.ok('ls-remote', '--symref', 'origin', 'HEAD')).split('\n')[0]
  assert.equal((await edit('branched', { default_branch: 'nothing' })).body.default_branch, 'main')
  assert.equal(await head(), 'ref: refs/heads/main\tHEAD')
  assert.equal((await edit('branched', { default_branch: 'next' })).body.default_branch, 'next')
  assert.equal(await head(), 'ref: refs/heads/next\tHEAD')
  assert.equal((await edit('branched', { default_branch: 'a..b' })).status, 422)
  assert.ok((await told('branched')).includes('repository.default_branch_changed'))
})

test('an empty repository accepts any default branch', async () => {
  await make('empty')
  assert.equal((await edit('empty', { default_branch: 'trunk' })).body.default_branch, 'trunk')
})

test('an archived repository can be edited and unarchived but not pushed to; repeats emit no event', async () => {
  await make('old', { auto_init: true })
  const archived = await edit('old', { archived: true })
  assert.ok(archived.body.archived_at)
  forge.advance(60_000)
  assert.equal((await edit('old', { archived: true })).body.archived_at, archived.body.archived_at)
  await using git = await GitClient.open(forge, 'ann', 'ann/old')
  await git.ok('pull', '--quiet', 'origin', 'main')
  assert.notEqual((await git.run('push', '--quiet', 'origin', 'HEAD:other')).code, 0)
  assert.equal((await edit('old', { archived: false })).body.archived_at, null)
  await git.ok('push', '--quiet', 'origin', 'HEAD:other')
  const news = (await told('old')).filter((it) => it.includes('archived'))
  assert.deepEqual(news, ['repository.archived', 'repository.unarchived'])
})

test('an avatar is served at its URL and is gone after its deletion', async () => {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await make('pretty')
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/pretty/avatar', { image: png })).status, 403)
  assert.equal((await forge.call('ann', 'POST', '/repos/ann/pretty/avatar', { image: png })).status, 204)
  const { avatar_url } = (await forge.call(null, 'GET', '/repos/ann/pretty')).body
  const path = `/${avatar_url.replace('http://forge.test', '')}`
  const seen = await forge.call(null, 'GET', path)
  assert.deepEqual([seen.status, seen.headers.get('content-type')], [200, 'image/png'])
  assert.equal((await forge.call('ann', 'DELETE', '/repos/ann/pretty/avatar')).status, 204)
  assert.equal((await forge.call(null, 'GET', '/repos/ann/pretty')).body.avatar_url, '')
  await forge.runJobs()
  assert.equal((await forge.call(null, 'GET', path)).status, 404)
})
