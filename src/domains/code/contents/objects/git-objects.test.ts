/** Refs, trees, blobs, notes, comparisons, archives and raw files; and cleanup after aborted downloads. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GitClient, startForge } from '#testing'
import { commitAs, writeIn } from '#testing/slices/contents'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

let git: GitClient
const REPO = '/repos/ann/site'
const read = (path: string, as: string | null = null) => forge.call(as, 'GET', `${REPO}/${path}`)
const commit = (title: string, date: string) => commitAs(git, { title, date, email: 'ann@example.test' })

before(async () => {
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'empty' })
  git = await GitClient.open(forge, 'ann', 'ann/site')
  await writeIn(git, 'LICENSE', (await forge.call(null, 'GET', '/licenses/MIT')).body.body)
  await writeIn(git, 'src/main.go', 'package main\n')
  await writeIn(git, 'src/page.html', '<script>alert(1)</script>\n')
  await writeIn(git, 'vendor/lib.rs', 'fn main() {}\n')
  await writeIn(git, 'picture.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'))
  await writeIn(git, 'data', Buffer.from([1, 0, 2]))
  await writeIn(git, '.editorconfig', EDITORCONFIG)
  await commit('First', '2020-01-01T10:00:00Z')
  await git.ok('checkout', '--quiet', '-b', 'topic/side')
  await writeIn(git, 'side', 'side\n')
  await commit('Side', '2020-01-02T10:00:00Z')
  await git.ok('checkout', '--quiet', 'main')
  await writeIn(git, 'main', 'main\n')
  await commit('Main', '2020-01-03T10:00:00Z')
  await git.ok('notes', 'add', '--message', 'A note', 'HEAD')
  await git.ok('push', '--quiet', 'origin', 'main', 'topic/side', 'refs/notes/commits')
})
after(() => git[Symbol.asyncDispose]())

const EDITORCONFIG =
  'root = true\n[*]\nindent_style = space\n[src/**.go]\nindent_style = tab\n[{a,b}.txt]\nindent_size = 4\n'

test('refs are found by name and by prefix', async () => {
  const names = async (path: string) => (await read(path)).body.map((it: { ref: string }) => it.ref)
  assert.deepEqual(await names('git/refs'), [
    'refs/heads/main',
    'refs/heads/topic/side',
    'refs/notes/commits',
  ])
  assert.deepEqual(await names('git/refs/heads/t'), ['refs/heads/topic/side'])
  assert.equal((await read('git/refs/heads/missing')).status, 404)
  assert.equal((await forge.call('ann', 'GET', '/repos/ann/empty/git/refs')).status, 404)
})

test('a tree is paged, and found by commit, branch or its own id', async () => {
  const whole = await read('git/trees/main?recursive=true')
  assert.equal(whole.headers.get('x-total-count'), String(whole.body.total_count))
  const pages = [1, 2, 3].map((page) => read(`git/trees/main?recursive=1&per_page=4&page=${page}`))
  const paths = (await Promise.all(pages)).flatMap(({ body }) =>
    body.tree.map((it: { path: string }) => it.path),
  )
  assert.deepEqual(
    paths,
    whole.body.tree.map((it: { path: string }) => it.path),
  )
  const src = whole.body.tree.find((it: { path: string }) => it.path === 'src')
  const below = await read(`git/trees/${src.sha}`)
  assert.deepEqual([below.body.sha, below.body.tree.length, below.body.truncated], [src.sha, 2, false])
  for (const name of ['missing', 'a'.repeat(40), '--all'])
    assert.equal((await read(`git/trees/${name}`)).status, 400)
})

test('a blob is returned with its content; another object is refused with 400', async () => {
  const oid = await git.ok('rev-parse', 'HEAD:src/main.go')
  const { body } = await read(`git/blobs/${oid}`)
  assert.equal(Buffer.from(body.content, 'base64').toString(), 'package main\n')
  const tree = await git.ok('rev-parse', 'HEAD:src')
  for (const sha of ['nonsense', 'a'.repeat(40), tree])
    assert.equal((await read(`git/blobs/${sha}`)).status, 400)
})

test('a note is returned with the commit that wrote it', async () => {
  const { body } = await read('git/notes/main')
  assert.equal(body.message, 'A note\n')
  assert.match(body.commit.commit.message, /Notes added/)
  assert.equal((await read('git/notes/topic%2Fside')).status, 404)
})

for (const { range, told } of [
  { range: 'main...topic/side', told: ['Side'] },
  { range: 'topic/side...main', told: ['Main'] },
  { range: 'topic/side..main', told: ['Main'] },
  { range: 'topic/side', told: ['Side'] },
  { range: 'main^...main', told: ['Main'] },
  { range: 'main~1...main', told: ['Main'] },
  { range: 'main...main', told: [] },
])
  test(`compare ${range}`, async () => {
    const { status, body } = await read(`compare/${range}`)
    assert.equal(status, 200)
    assert.equal(body.total_commits, told.length)
    assert.deepEqual(
      body.commits.map((it: { commit: { message: string } }) => it.commit.message.trim()),
      told,
    )
  })

test('a comparison is served as text, from the merge base or from the base itself', async () => {
  const diff = await read('compare/main...topic/side?output=diff')
  assert.match(diff.body, /^diff --git a\/side b\/side\nnew file/)
  assert.doesNotMatch(diff.body, /a\/main/)
  assert.match((await read('compare/main..topic/side?output=diff')).body, /deleted file/)
  assert.match((await read('compare/main...topic/side?output=patch')).body, /^From [0-9a-f]{40}/)
  for (const range of ['main...missing', 'missing...main', 'main...nobody:main', 'main~9...main'])
    assert.equal((await read(`compare/${range}`)).status, 404)
})

test('a fork is compared with its base, also after the base moved on', async () => {
  await forge.call('bob', 'POST', `${REPO}/forks`, {})
  const file = { content: '', message: 'In the fork' }
  await forge.call('bob', 'POST', '/repos/bob/site/contents/fork', file)
  await forge.call('ann', 'POST', `${REPO}/contents/original`, { content: '', message: 'In the original' })
  const { body } = await read('compare/main...bob:main')
  assert.equal(body.total_commits, 1)
  assert.equal(body.commits[0].commit.message, 'In the fork\n')
  assert.match(body.commits[0].url, /\/repos\/bob\/site\//)
  assert.equal((await read('compare/main...bob/site:main')).body.total_commits, 1)
})

test('an archive has the files of the revision', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-archive-'))
  try {
    for (const kind of ['tar.gz', 'bundle']) {
      const response = await fetch(`${forge.base}/api/v1${REPO}/archive/topic/side.${kind}`)
      assert.equal(response.status, 200)
      assert.match(response.headers.get('link') ?? '', /rel="immutable"/)
      assert.match(response.headers.get('content-disposition') ?? '', /site-topic-side\./)
      writeFileSync(join(folder, kind), Buffer.from(await response.arrayBuffer()))
    }
    execFileSync('tar', ['xzf', 'tar.gz'], { cwd: folder })
    assert.equal(readFileSync(join(folder, 'site/side'), 'utf8'), 'side\n')
    execFileSync('git', ['clone', '--quiet', 'bundle', 'cloned'], { cwd: folder, stdio: 'pipe' })
    assert.equal(readFileSync(join(folder, 'cloned/side'), 'utf8'), 'side\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.equal((await read('archive/main.rar')).status, 400)
  assert.equal((await read('archive/missing.zip')).status, 404)
  assert.equal((await read('archive/main.zip?path=missing')).status, 404)
})

for (const { path, type, disposition } of [
  { path: 'src/page.html', type: 'text/plain; charset=utf-8', disposition: 'inline' },
  { path: 'picture.png', type: 'image/png', disposition: 'inline' },
  { path: 'data', type: 'application/octet-stream', disposition: 'attachment' },
])
  test(`raw ${path} is served as ${type}`, async () => {
    for (const place of ['raw', 'media']) {
      const { headers } = await read(`${place}/${path}`)
      assert.equal(headers.get('content-type'), type)
      assert.ok(headers.get('content-disposition')?.startsWith(disposition))
      assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
  })

test('download URLs in records serve the files', async () => {
  const follow = (address: string, as: string | null = null) =>
    forge.call(as, 'GET', `/${new URL(address).pathname}`)
  for (const ref of ['main', 'topic/side', await git.ok('rev-parse', 'HEAD')]) {
    const { body } = await read(`contents/src/main.go?ref=${ref}`)
    assert.equal((await follow(body.download_url)).body, 'package main\n')
  }
  await forge.call('ann', 'POST', `${REPO}/tags`, { tag_name: 'rel/1' })
  const { body: tag } = await read('tags/rel/1')
  assert.equal((await follow(tag.tarball_url)).status, 200)
  const { body: tagged } = await read('contents/src/main.go?ref=rel/1')
  assert.equal((await follow(tagged.download_url)).status, 200)
  for (const path of ['branch/missing/x', 'branch/main/missing', 'nonsense/main/x', 'commit/12/x'])
    assert.equal((await follow(`http://forge.test/ann/site/raw/${path}`)).status, 404)
  await forge.call('ann', 'PATCH', REPO, { private: true })
  assert.equal((await follow(tagged.download_url)).status, 404)
  assert.equal((await follow(tagged.download_url, 'ann')).status, 200)
  await forge.call('ann', 'PATCH', REPO, { private: false })
})

test('editorconfig returns the settings of a file', async () => {
  assert.deepEqual((await read('editorconfig/src/main.go')).body, { indent_style: 'tab' })
  assert.deepEqual((await read('editorconfig/deep/a.txt')).body, { indent_style: 'space', indent_size: '4' })
})

test('languages and licence are detected after a push', async () => {
  await forge.runJobs()
  assert.deepEqual((await read('languages')).body, { HTML: 26, Go: 13 })
  assert.deepEqual((await read('licenses')).body, ['MIT'])
  assert.equal((await forge.call(null, 'GET', REPO)).body.language, 'HTML')
})

test('an aborted download leaves no git process behind', async () => {
  const bytes = 24 * 1024 * 1024
  await writeIn(git, 'large', randomBytes(bytes))
  await commit('Large', '2020-01-04T10:00:00Z')
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/large')
  const leaving = new AbortController()
  const { started } = await forge.watchGit(async () => {
    const address = `${forge.base}/api/v1${REPO}/raw/large?ref=large`
    const response = await fetch(address, { signal: leaving.signal })
    assert.equal(response.headers.get('content-length'), String(bytes))
    await response.body?.getReader().read()
    leaving.abort()
  })
  const isRunning = () => started.some((it) => it.isRunning)
  for (let i = 0; i < 200 && isRunning(); i++) await sleep(50)
  assert.ok(!isRunning())
  assert.ok(started.length > 0)
})
