/** The list of commits: records, access, pages and cost. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GitClient, type Reply, startForge } from '#testing'
import { commitAs, writeIn } from '#testing/slices/contents'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

let git: GitClient
/** Commit ids by title. */
const oids = new Map<string, string>()

before(async () => {
  for (const name of ['ann', 'bob']) await forge.person(name)
  for (const name of ['site', 'empty', 'long']) await forge.call('ann', 'POST', '/user/repos', { name })
  await forge.call('ann', 'POST', '/user/repos', { name: 'diary', private: true })
  git = await GitClient.open(forge, 'ann', 'ann/site')
  await commit('Add', '2020-01-01T10:00:00Z', 'ann@example.test', () => writeIn(git, 'a.txt', 'one\ntwo\n'))
  await commit('Change', '2020-01-02T10:00:00+02:00', 'BOB@example.test', () =>
    writeIn(git, 'a.txt', 'one\nthree\nfour\n'),
  )
  await commit('Folder', '2020-01-03T10:00:00Z', 'nobody@example.test', async () => {
    await writeIn(git, 'dir/b.txt', 'b\n')
    await writeIn(git, 'dir/c.bin', '\0\x01')
  })
  await commit('Rename', '2020-01-04T10:00:00Z', '2+bob@noreply.forge.test', () =>
    git.ok('mv', 'a.txt', 'moved.txt'),
  )
  await git.ok('checkout', '--quiet', '-b', 'side')
  await commit('Side', '2020-01-05T10:00:00Z', 'ann@noreply.forge.test', () => writeIn(git, 'side', 's\n'))
  await git.ok('tag', '--annotate', '--message', 'One', 'v1.0')
  await git.ok('checkout', '--quiet', 'main')
  await commit('Delete', '2020-01-06T10:00:00Z', 'ann@example.test', () => git.ok('rm', '-q', 'dir/b.txt'))
  await commit('Merge', '2020-01-07T10:00:00Z', 'ann@example.test', () =>
    git.ok('merge', '--quiet', '--no-ff', '--no-commit', 'side'),
  )
  await git.ok('push', '--quiet', 'origin', 'main', 'side', 'v1.0')
})
after(() => git[Symbol.asyncDispose]())

async function commit(title: string, date: string, email: string, change: () => Promise<unknown>) {
  await change()
  oids.set(title, await commitAs(git, { title, date, email }))
}

const list = (query = '', as: string | null = null) =>
  forge.call(as, 'GET', `/repos/ann/site/commits${query}`)
const titles = ({ body }: Reply) =>
  body.map((it: { commit: { message: string } }) => it.commit.message.trim())
const ALL = ['Merge', 'Delete', 'Side', 'Rename', 'Folder', 'Change', 'Add']

test('a commit is listed with its files, stats and users', async () => {
  const { status, body } = await list()
  assert.equal(status, 200)
  assert.deepEqual(titles({ body } as Reply), ALL)
  const [merge, gone, side, moved, folder, change] = body
  assert.deepEqual(merge.files, [{ filename: 'side', status: 'added' }])
  assert.equal(merge.parents.length, 2)
  assert.deepEqual(gone.files, [{ filename: 'dir/b.txt', status: 'deleted' }])
  assert.deepEqual(gone.stats, { total: 1, additions: 0, deletions: 1 })
  assert.equal(side.author.login, 'ann', 'a name at the hidden domain is an address')
  assert.deepEqual(moved.files, [
    { filename: 'moved.txt', status: 'added' },
    { filename: 'a.txt', status: 'deleted' },
  ])
  assert.deepEqual(moved.stats, { total: 0, additions: 0, deletions: 0 })
  assert.equal(moved.committer.login, 'bob', 'a number at the hidden domain is an address')
  assert.equal(folder.author, null)
  assert.deepEqual(change.stats, { total: 3, additions: 2, deletions: 1 })
  assert.equal(change.author.login, 'bob', 'addresses are compared without case')
  assert.equal(change.author.email, '2+bob@noreply.forge.test', 'and shown to nobody')
  assert.equal(change.commit.author.date, '2020-01-02T10:00:00+02:00')
  assert.equal(change.created, '2020-01-02T10:00:00+02:00')
  assert.deepEqual(change.parents, [
    {
      url: `http://forge.test/api/v1/repos/ann/site/git/commits/${oids.get('Add')}`,
      sha: oids.get('Add'),
      created: null,
    },
  ])
  assert.equal(change.html_url, `http://forge.test/ann/site/commit/${oids.get('Change')}`)
})

test('stats, files and verification are left out on request', async () => {
  const { body } = await list('?stat=false&files=false&verification=false&limit=1')
  const [{ stats, files, commit }] = body
  assert.deepEqual([stats, files, commit.verification], [null, null, null])
})

for (const { query, told } of [
  { query: '?sha=side', told: ['Side', 'Rename', 'Folder', 'Change', 'Add'] },
  { query: '?sha=refs/heads/side&limit=1', told: ['Side'] },
  { query: '?sha=v1.0&limit=1', told: ['Side'] },
  { query: '?sha=HEAD&limit=1', told: ['Merge'] },
  { query: '?sha=&path=&since=&until=&not=&limit=1', told: ['Merge'] },
  { query: '?path=dir', told: ['Delete', 'Folder'] },
  { query: '?path=dir/', told: ['Delete', 'Folder'] },
  { query: '?path=moved.txt', told: ['Rename'] },
  { query: '?path=a.txt', told: ['Rename', 'Change', 'Add'] },
  { query: '?path=a.txt&limit=1', told: ['Rename', 'Change', 'Add'] },
  { query: '?path=a.txt&page=2', told: [] },
  { query: '?path=a.txt&until=2020-01-01T12:00:00Z', told: ['Add'] },
  { query: '?path=a.txt&since=2021-01-01T00:00:00Z', told: [] },
  { query: '?since=2020-01-06T00:00:00Z', told: ['Merge', 'Delete'] },
  { query: '?since=2020-01-06', told: ['Merge', 'Delete'] },
  { query: '?since=2020-01-06T00:00', told: ['Merge', 'Delete'] },
  { query: '?since=2020-01-06T02:00%2B0200', told: ['Merge', 'Delete'] },
  { query: '?since=2020-01-02T10:00:00%2B02:00&until=2020-01-03T00:00:00Z', told: ['Change'] },
  { query: '?not=side', told: ['Merge', 'Delete'] },
  { query: '?sha=side&not=main', told: [] },
  { query: '?limit=2&page=99', told: [] },
])
  test(`commits${query}`, async () => {
    const reply = await list(query)
    assert.equal(reply.status, 200)
    assert.deepEqual(titles(reply), told)
  })

for (const { path, as, status } of [
  { path: 'site/commits?sha=nothing', as: null, status: 404 },
  { path: 'site/commits?sha=main..side', as: null, status: 404 },
  { path: 'site/commits?sha=--all', as: null, status: 404 },
  { path: `site/commits?sha=${'a'.repeat(40)}`, as: null, status: 404 },
  { path: 'site/commits?not=nothing', as: null, status: 404 },
  { path: 'site/commits?path=missing', as: null, status: 404 },
  { path: 'site/commits?path=/etc/passwd', as: null, status: 404 },
  { path: 'site/commits?path=missing&since=2020-01-01T00:00:00Z', as: null, status: 404 },
  { path: 'site/commits?since=yesterday', as: null, status: 422 },
  { path: 'site/commits?since=2020-01', as: null, status: 422 },
  { path: 'site/commits?since=2020-02-30', as: null, status: 422 },
  { path: 'site/commits?until=2020-13-01T00:00:00Z', as: null, status: 422 },
  { path: 'empty/commits', as: null, status: 409 },
  { path: 'empty/commits?sha=main', as: null, status: 409 },
  { path: 'empty/commits?since=x', as: null, status: 422 },
  { path: 'diary/commits', as: null, status: 404 },
  { path: 'diary/commits', as: 'bob', status: 404 },
  { path: 'diary/commits', as: 'ann', status: 409 },
  { path: 'missing/commits', as: 'ann', status: 404 },
  { path: `site/git/commits/${'a'.repeat(40)}`, as: null, status: 404 },
  { path: `site/git/commits/${'a'.repeat(40)}.diff`, as: null, status: 404 },
  { path: 'site/git/commits/12', as: null, status: 404 },
])
  test(`${as ?? 'anonymous'} gets ${path}: ${status}`, async () => {
    assert.equal((await forge.call(as, 'GET', `/repos/ann/${path}`)).status, status)
  })

test('an empty repository is refused with a body, other conflicts and missing refs without one', async () => {
  const empty = await forge.call(null, 'GET', '/repos/ann/empty/commits')
  assert.deepEqual([empty.status, empty.body.message], [409, 'repository is empty'])
  assert.equal(typeof empty.body.url, 'string')
  assert.equal((await forge.call(null, 'GET', '/repos/ann/missing/commits')).body, null)
})

test('pagination headers give page, total and links', async () => {
  const { headers } = await list('?limit=2&page=2')
  const told = ['x-total', 'x-total-count', 'x-page', 'x-perpage', 'x-pagecount', 'x-hasmore']
  assert.deepEqual(
    told.map((name) => headers.get(name)),
    ['7', '7', '2', '2', '4', 'true'],
  )
  assert.match(headers.get('link') ?? '', /page=3>; rel="next",<.*page=4>; rel="last"/)
  assert.match(headers.get('access-control-expose-headers') ?? '', /X-Page, .*Link/)
  assert.equal((await list('?limit=3&page=3')).headers.get('x-hasmore'), 'false')
})

test('a single commit is found by its id, a prefix of it, or a ref name', async () => {
  const oid = oids.get('Side') ?? ''
  for (const name of [oid, oid.slice(0, 8), 'side', 'v1.0']) {
    const { body } = await forge.call(null, 'GET', `/repos/ann/site/git/commits/${name}`)
    assert.equal(body.sha, oid)
    assert.deepEqual(body.files, [{ filename: 'side', status: 'added' }])
  }
})

test('a single commit is served as diff and as patch', async () => {
  const diff = await forge.call(null, 'GET', `/repos/ann/site/git/commits/${oids.get('Change')}.diff`)
  assert.equal(diff.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(diff.body, /^diff --git a\/a\.txt b\/a\.txt\nindex [0-9a-f]{7,10}\.\./)
  const first = await forge.call(null, 'GET', `/repos/ann/site/git/commits/${oids.get('Add')}.diff`)
  assert.match(first.body, /\+one\n\+two\n$/)
  const mail = await forge.call(null, 'GET', '/repos/ann/site/git/commits/v1.0.patch')
  assert.match(mail.body, /^From [0-9a-f]{40} .*\nFrom: Somebody .*\n.*\nSubject: \[PATCH\] Side/)
})

test('a page of commits takes one git process when new and none when cached', async () => {
  await using client = await GitClient.open(forge, 'ann', 'ann/long')
  for (let i = 0; i < 4; i++) await client.commit('file', `${i}`)
  await client.ok('push', '--quiet', 'origin', 'main')
  const ask = async (query: string) => {
    const reply = await forge.call(null, 'GET', `/repos/ann/long/commits${query}`)
    assert.equal(reply.status, 200)
    return reply
  }
  assert.equal(await forge.countGit(() => ask('')), 1, 'all there is, on one page')
  assert.equal(await forge.countGit(() => ask('')), 0)
  assert.equal(await forge.countGit(() => ask('?limit=2')), 1, 'it is known how many there are')
  assert.equal(await forge.countGit(() => ask('?limit=2&page=2')), 1)
  assert.equal(await forge.countGit(() => ask('?limit=2&page=2')), 0)
  await client.commit('file', 'more')
  await client.commit('file', 'and more')
  await client.ok('push', '--quiet', 'origin', 'main')
  assert.equal(await forge.countGit(() => ask('?limit=3')), 1, 'what was pushed is counted on')
  assert.equal((await ask('?limit=3')).headers.get('x-total'), '6')
  assert.equal(await forge.countGit(() => ask('?limit=1&sha=main&path=file')), 1)
  assert.equal(await forge.countGit(() => ask('?limit=1&sha=main&path=file')), 0)
})

test('the commit count of a pushed branch is stored for all nodes, updated, and deleted with the branch', async () => {
  assert.equal((await forge.call('ann', 'POST', '/user/repos', { name: 'counted' })).status, 201)
  await using client = await GitClient.open(forge, 'ann', 'ann/counted')
  const counts = async () => {
    await forge.runJobs()
    const rows = await forge.db
      .selectFrom('git_branch_count')
      .innerJoin('repository', 'repository.storage_id', 'git_branch_count.storage_id')
      .select(['git_branch_count.name', 'commits'])
      .where('repository.name_key', '=', 'counted')
      .orderBy('git_branch_count.name')
      .execute()
    return rows.map(({ name, commits }) => [name, commits])
  }
  for (let i = 0; i < 4; i++) await client.commit('file', `${i}`)
  await client.ok('push', '--quiet', 'origin', 'main', 'main~1:refs/heads/side', 'main:refs/tags/v1')
  assert.deepEqual(await counts(), [
    ['refs/heads/main', 4],
    ['refs/heads/side', 3],
  ])
  await client.ok('reset', '--quiet', '--hard', 'HEAD~2')
  await client.commit('file', 'another way')
  await client.ok('push', '--quiet', '--force', 'origin', 'main', ':side')
  assert.deepEqual(await counts(), [['refs/heads/main', 3]])
})

test('a page of commits takes the same number of queries, whatever its size', async () => {
  await list('?limit=1')
  await list('')
  const one = await forge.countQueries(() => list('?limit=1'))
  assert.equal(await forge.countQueries(() => list('')), one + 1, 'addresses of both kinds are on it')
  assert.ok(one <= 7, `${one} queries`)
})
