/** Files and directories: reads, writes and refusals. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GitClient, startForge } from '#testing'
import { commitAs, writeIn } from '#testing/slices/contents'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

let git: GitClient
const REPO = '/repos/ann/site'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const FIXED = {
  author: { name: 'A U Thor', email: 'author@example.test' },
  committer: { name: 'C O Mitter', email: 'committer@example.test' },
  dates: { author: '2020-01-01T10:00:00Z', committer: '2020-01-02T10:00:00-05:30' },
}

before(async () => {
  for (const name of ['ann', 'eve']) await forge.person(name)
  for (const name of ['site', 'empty', 'work']) await forge.call('ann', 'POST', '/user/repos', { name })
  git = await GitClient.open(forge, 'ann', 'ann/site')
  await writeIn(git, 'dir/ü #?.txt', 'text\n')
  await writeIn(git, 'pointer', POINTER)
  await commitAs(git, { title: 'First', date: '2020-01-01T10:00:00Z', email: 'ann@example.test' })
  const target = await git.ok('rev-parse', 'HEAD')
  await writeIn(
    git,
    '.gitmodules',
    '[submodule "lib"]\n\tpath = dir/lib\n\turl = https://example.test/lib.git\n',
  )
  await writeIn(git, 'link-target', 'dir/elsewhere')
  const link = await git.ok('hash-object', '-w', 'link-target')
  await git.ok('update-index', '--add', '--cacheinfo', `120000,${link},link`)
  await git.ok('update-index', '--add', '--cacheinfo', `160000,${target},dir/lib`)
  await git.ok('add', '.gitmodules')
  await git.ok('commit', '--quiet', '--message', 'Second')
  await git.ok('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
})
after(() => git[Symbol.asyncDispose]())

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`
const read = (path: string, as: string | null = null) => forge.call(as, 'GET', `${REPO}/${path}`)

test('a file is read with its content, last commit and working URLs', async () => {
  const { body } = await read(`contents/dir/${encodeURIComponent('ü #?.txt')}`)
  assert.deepEqual(
    [body.type, body.content, body.encoding, body.size],
    ['file', base64('text\n'), 'base64', 5],
  )
  assert.equal(body.last_committer_date, '2020-01-01T10:00:00Z')
  const path = new URL(body.url)
  assert.equal(path.searchParams.get('ref'), 'main')
  const again = await forge.call(null, 'GET', `/${path.pathname.slice('/api/v1/'.length)}${path.search}`)
  assert.equal(again.body.sha, body.sha)
  assert.match(body.download_url, /\/ann\/site\/raw\/branch\/main\/dir\/%C3%BC%20%23%3F\.txt$/)
})

test('a directory lists symbolic links and submodules with their types', async () => {
  const { body: root } = await read('contents')
  const types = Object.fromEntries(root.map((it: { path: string; type: string }) => [it.path, it.type]))
  assert.deepEqual(types, { '.gitmodules': 'file', dir: 'dir', link: 'symlink', pointer: 'file' })
  const link = root.find((it: { path: string }) => it.path === 'link')
  assert.equal(link.target, 'dir/elsewhere')
  const { body: dir } = await read('contents/dir/')
  const lib = dir.find((it: { name: string }) => it.name === 'lib')
  assert.deepEqual(
    [lib.type, lib.submodule_git_url, lib.html_url, lib.git_url, lib.download_url],
    ['submodule', 'https://example.test/lib.git', null, null, null],
  )
  assert.ok(
    root.every((it: { last_commit_sha?: string; content: null }) => it.last_commit_sha && !it.content),
  )
})

test('an LFS pointer is read with its oid and size', async () => {
  const { body } = await read('contents/pointer')
  assert.deepEqual([body.lfs_oid, body.lfs_size], ['a'.repeat(64), 12345])
})

test('contents-ext returns only the requested parts', async () => {
  const bare = await read('contents-ext/pointer')
  assert.equal(bare.body.file_contents.content, null)
  assert.ok(!('last_commit_sha' in bare.body.file_contents))
  const full = await read('contents-ext/pointer?includes=file_content,commit_message')
  assert.equal(full.body.file_contents.content, base64(POINTER))
  assert.equal(full.body.file_contents.last_commit_message, 'First\n')
  assert.equal((await read('contents-ext/dir')).body.dir_contents.length, 2)
})

test('reading several files takes a fixed number of git processes, and none when cached', async () => {
  const ask = (files: string[]) => forge.call(null, 'POST', `${REPO}/file-contents`, { files })
  const { body } = await ask(['pointer', 'missing', 'dir', 'link', '../x'])
  assert.deepEqual(
    body.map((it: { path: string } | null) => it?.path ?? null),
    ['pointer', null, null, 'link', null],
  )
  assert.ok((await forge.countGit(() => ask(['.gitmodules', 'dir/ü #?.txt', 'dir/lib']))) <= 5)
  assert.equal(await forge.countGit(() => ask(['.gitmodules', 'dir/ü #?.txt', 'dir/lib'])), 0)
  assert.equal((await ask(Array.from({ length: 101 }, (_, i) => `${i}`))).status, 422)
  assert.equal((await read('file-contents?body=nonsense')).status, 422)
})

for (const { path, as, status } of [
  { path: 'contents/missing', as: null, status: 404 },
  { path: 'contents/dir/missing', as: null, status: 404 },
  { path: 'contents/pointer/below', as: null, status: 404 },
  { path: 'contents/..%2F..%2Fetc', as: null, status: 404 },
  { path: 'contents/pointer?ref=missing', as: null, status: 404 },
  { path: 'contents/pointer?ref=main~1', as: null, status: 404 },
  { path: 'raw/dir', as: null, status: 404 },
  { path: 'raw/missing', as: null, status: 404 },
  { path: 'editorconfig/x', as: null, status: 404 },
])
  test(`${as ?? 'anonymous'} reads ${path}: ${status}`, async () => {
    assert.equal((await read(path, as)).status, status)
  })

const change = (as: string | null, method: 'POST' | 'PUT' | 'DELETE', path: string, body: object) =>
  forge.call(as, method, `/repos/ann/work/contents${path}`, body)

test('the first file creates the default branch, later files are committed to it', async () => {
  const first = await change('ann', 'POST', '/a.txt', { content: base64('a\n'), ...FIXED, signoff: true })
  assert.equal(first.status, 201)
  const { commit, content } = first.body
  assert.equal(commit.message, 'Add a.txt\n\nSigned-off-by: C O Mitter <committer@example.test>')
  assert.deepEqual([commit.author.name, commit.author.date], ['A U Thor', '2020-01-01T10:00:00Z'])
  assert.deepEqual(
    [commit.committer.name, commit.committer.date],
    ['C O Mitter', '2020-01-02T10:00:00-05:30'],
  )
  assert.deepEqual([commit.parents, content.last_commit_sha], [[], commit.sha])
  const body = { content: base64('b\n'), sha: content.sha, from_path: 'a.txt', author: { email: 'x' } }
  const moved = await change('ann', 'PUT', '/dir/b.txt', body)
  assert.equal(moved.status, 200)
  assert.deepEqual([moved.body.commit.author.name, moved.body.commit.committer.email], ['x', 'x'])
  assert.equal((await change('ann', 'PUT', '/new.txt', { content: '' })).status, 201)
  const gone = await change('ann', 'DELETE', '/dir/b.txt', { sha: moved.body.content.sha })
  assert.equal(gone.status, 200)
  assert.equal(gone.body.content, null)
  assert.equal(gone.body.commit.message, 'Delete dir/b.txt\n')
  assert.equal((await forge.call(null, 'GET', '/repos/ann/work/contents/dir/b.txt')).status, 404)
})

for (const { method, path, body, status } of [
  { method: 'POST', path: '/new.txt', body: { content: base64('x') }, status: 422 },
  { method: 'POST', path: '/new.txt/x', body: { content: base64('x') }, status: 422 },
  { method: 'POST', path: '/.git/config', body: { content: base64('x') }, status: 422 },
  { method: 'POST', path: '/..%2Foutside', body: { content: base64('x') }, status: 422 },
  { method: 'POST', path: '/x', body: { content: '***' }, status: 422 },
  { method: 'POST', path: '/x', body: { content: 'abc' }, status: 422 },
  { method: 'POST', path: '/x', body: { content: '', branch: 'missing' }, status: 404 },
  { method: 'POST', path: '/x', body: { content: '', new_branch: 'a..b' }, status: 422 },
  { method: 'POST', path: '/x', body: { content: '', dates: { author: 'yesterday' } }, status: 422 },
  { method: 'PUT', path: '/new.txt', body: { content: '' }, status: 422 },
  { method: 'PUT', path: '/new.txt', body: { content: '', sha: 'a'.repeat(40) }, status: 422 },
  { method: 'PUT', path: '/none', body: { content: '', sha: 'a'.repeat(40) }, status: 404 },
  { method: 'DELETE', path: '/new.txt', body: {}, status: 422 },
  { method: 'DELETE', path: '/new.txt', body: { sha: 'a'.repeat(40) }, status: 422 },
  { method: 'POST', path: '', body: { files: [{ operation: 'nonsense', path: 'x' }] }, status: 422 },
  { method: 'POST', path: '', body: { files: [{ operation: 'rename', path: 'x' }] }, status: 422 },
  { method: 'POST', path: '', body: { files: [{ operation: 'delete', path: 'new.txt' }] }, status: 422 },
] as const)
  test(`${method} ${path} ${JSON.stringify(body).slice(0, 70)}: ${status}`, async () => {
    assert.equal((await change('ann', method, path, body)).status, status)
    for (const [as, refusal] of [
      [null, 401],
      ['eve', 403],
    ] as const)
      assert.equal((await change(as, method, path, body)).status, refusal)
  })

test('several changes make one commit', async () => {
  const upload = { operation: 'upload', path: 'new.txt', content: base64('uploaded') }
  const files = [upload, { operation: 'upload', path: 'fresh', content: base64('f') }]
  const { status, body } = await change('ann', 'POST', '', { files, new_branch: 'many' })
  assert.equal(status, 201)
  assert.deepEqual([body.files[0].content, body.files[1].content], [base64('uploaded'), base64('f')])
  assert.match(body.files[0].url, /ref=many$/)
  assert.equal(body.commit.message, 'Add new.txt, fresh\n')
  const rename = { operation: 'rename', from_path: 'fresh', path: 'renamed' }
  const renamed = await change('ann', 'POST', '', { files: [rename], branch: 'many' })
  assert.equal(renamed.body.files[0].content, base64('f'))
})

test('concurrent writes to different files all succeed', async () => {
  const writes = Array.from({ length: 6 }, (_, i) =>
    change('ann', 'POST', `/race/${i}.txt`, { content: base64(`${i}`) }),
  )
  const statuses = (await Promise.all(writes)).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([201]))
  const { body } = await forge.call(null, 'GET', '/repos/ann/work/contents/race')
  assert.equal(body.length, 6)
})
