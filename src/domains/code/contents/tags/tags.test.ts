/** Tags and refs: lightweight and annotated, ordered by age. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GitClient, startForge } from '#testing'
import { commitAs } from '#testing/slices/contents'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

let git: GitClient
const LIST = '/repos/ann/site/tags'

before(async () => {
  await forge.person('ann', { full_name: 'Ann A.' })
  await forge.person('eve')
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  git = await GitClient.open(forge, 'ann', 'ann/site')
  for (const [i, name] of ['b', 'c', 'a'].entries()) {
    const date = `202${i}-01-01T10:00:00+01:00`
    await commitAs(git, { title: `Commit of ${name}`, date, email: 'ann@example.test' })
    await git.ok('tag', name)
  }
  await git.ok('tag', 'of-a-tree', 'HEAD^{tree}')
  await git.ok('push', '--quiet', 'origin', 'main', '--tags')
})
after(() => git[Symbol.asyncDispose]())

test('tags are listed newest first, and without a git process when cached', async () => {
  const { body, headers } = await forge.call(null, 'GET', LIST)
  const names = body.map((it: { name: string }) => it.name)
  assert.deepEqual(names, ['a', 'c', 'b', 'of-a-tree'])
  assert.equal(headers.get('x-total-count'), '4')
  assert.equal(headers.get('link'), null)
  const [newest] = body
  assert.equal(newest.message, 'Commit of a\n')
  assert.equal(newest.commit.created, '2022-01-01T10:00:00+01:00')
  assert.equal(newest.tarball_url, 'http://forge.test/ann/site/archive/a.tar.gz')
  const page = await forge.call(null, 'GET', `${LIST}?limit=2&page=2`)
  assert.deepEqual(
    page.body.map((it: { name: string }) => it.name),
    ['b', 'of-a-tree'],
  )
  assert.equal(
    await forge.countGit(() => forge.call(null, 'GET', LIST)),
    1,
    'a tree is no commit: it is asked again',
  )
  const one = await forge.countQueries(() => forge.call(null, 'GET', `${LIST}?limit=1`))
  assert.equal(await forge.countQueries(() => forge.call(null, 'GET', `${LIST}?limit=3`)), one)
})

test('an annotated tag is an object with its creator as tagger', async () => {
  const made = await forge.call('ann', 'POST', LIST, { tag_name: 'v/1', message: 'One\n\nMore' })
  assert.equal(made.status, 201)
  assert.equal(made.body.message, 'One\n\nMore\n')
  assert.equal(made.body.zipball_url, 'http://forge.test/ann/site/archive/v%2F1.zip')
  const { body } = await forge.call(null, 'GET', `/repos/ann/site/git/tags/${made.body.id}`)
  assert.deepEqual(
    [body.tag, body.message, body.tagger.name, body.tagger.email, body.object.type, body.object.sha],
    ['v/1', 'One\n\nMore\n', 'Ann A.', 'ann@example.test', 'commit', made.body.commit.sha],
  )
  assert.equal(body.verification.reason, 'gpg.error.not_signed_commit')
  const refs = await forge.call(null, 'GET', '/repos/ann/site/git/refs/tags')
  const types = refs.body.map((it: { object: { type: string } }) => it.object.type)
  assert.deepEqual(types, ['commit', 'commit', 'commit', 'tree', 'tag'])
  assert.equal((await forge.call('ann', 'DELETE', `${LIST}/v/1`)).status, 204)
})

for (const { as, method, path, body, status } of [
  { as: null, method: 'POST', path: '', body: { tag_name: 'x' }, status: 401 },
  { as: 'eve', method: 'POST', path: '', body: { tag_name: 'x' }, status: 403 },
  { as: 'ann', method: 'POST', path: '', body: { tag_name: 'a' }, status: 409 },
  { as: 'ann', method: 'POST', path: '', body: { tag_name: 'a..b' }, status: 422 },
  { as: 'ann', method: 'POST', path: '', body: { tag_name: 'x', target: 'missing' }, status: 404 },
  { as: null, method: 'DELETE', path: '/a', body: undefined, status: 401 },
  { as: 'eve', method: 'DELETE', path: '/a', body: undefined, status: 403 },
  { as: 'ann', method: 'DELETE', path: '/missing', body: undefined, status: 404 },
  { as: null, method: 'GET', path: '/missing', body: undefined, status: 404 },
] as const)
  test(`${as ?? 'anonymous'}: ${method} ${path} ${JSON.stringify(body) ?? ''}: ${status}`, async () => {
    assert.equal((await forge.call(as, method, `${LIST}${path}`, body)).status, status)
  })

test('the tag of a release cannot be deleted before the release', async () => {
  const release = await forge.call('ann', 'POST', '/repos/ann/site/releases', { tag_name: 'c', name: 'C' })
  assert.equal(release.status, 201)
  assert.equal((await forge.call('ann', 'DELETE', `${LIST}/c`)).status, 409)
  await forge.call('ann', 'DELETE', `/repos/ann/site/releases/${release.body.id}`)
  assert.equal((await forge.call('ann', 'DELETE', `${LIST}/c`)).status, 204)
})

test('an id that is no tag object is refused with 400', async () => {
  const head = await git.ok('rev-parse', 'HEAD')
  for (const sha of [head, 'a'.repeat(40), 'nonsense'])
    assert.equal((await forge.call(null, 'GET', `/repos/ann/site/git/tags/${sha}`)).status, 400)
})
