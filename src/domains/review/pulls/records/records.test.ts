/** Pull requests over HTTP, on a real database and real git. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, GitClient, insertMany, startForge } from '#testing'
import { selectListed } from './find-listed.ts'
import { selectPulls } from './list-pulls.ts'
import { selectAimedAt, selectByTopic, selectFollowing } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'database.statement_timeout_ms': 300_000 } })
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'one', auto_init: true, default_branch: 'main' })
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/wes', { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/repos/ann/one/pulls'
const write = (branch: string, more: object = {}) =>
  forge.call('wes', 'POST', `/repos/ann/one/contents/${branch}.md`, {
    content: Buffer.from(`${branch}\n`).toString('base64'),
    branch: 'main',
    new_branch: branch,
    message: branch,
    ...more,
  })
const open = async (branch: string, input: object = {}): Promise<number> => {
  assert.equal((await write(branch)).status, 201)
  const { status, body } = await forge.call('wes', 'POST', ROOT, {
    title: branch,
    head: branch,
    base: 'main',
    ...input,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.number
}

test('a list needs the same number of queries however long it is, and no git process', async () => {
  await open('first')
  const one = await forge.countQueries(() => forge.call('eve', 'GET', ROOT))
  for (let i = 0; i < 5; i++) await open(`more-${i}`)
  const { started } = await forge.watchGit(async () => {
    assert.equal(await forge.countQueries(() => forge.call('eve', 'GET', ROOT)), one)
  })
  assert.deepEqual(started, [])
})

test('a second request for the files of a pull request starts no git process', async () => {
  const number = await open('seen')
  const read = () => forge.call('eve', 'GET', `${ROOT}/${number}/files`)
  await read()
  const { answer, started } = await forge.watchGit(read)
  assert.deepEqual(
    [answer.body.map((file: { filename: string }) => file.filename), started],
    [['seen.md'], []],
  )
})

test('an edit changes all given fields or none', async () => {
  const number = await open('fields')
  const { status } = await forge.call('wes', 'PATCH', `${ROOT}/${number}`, {
    title: 'another',
    base: 'none',
    state: 'closed',
  })
  assert.equal(status, 404)
  const { body } = await forge.call('wes', 'GET', `${ROOT}/${number}`)
  assert.deepEqual([body.title, body.state, body.base.ref], ['fields', 'open', 'main'])
})

test('of two concurrent requests that open the same pull request, one gets 409', async () => {
  await write('twice')
  const input = { title: 'twice', head: 'twice', base: 'main' }
  const replies = await Promise.all([1, 2, 3].map(() => forge.call('wes', 'POST', ROOT, input)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 409, 409])
})

test('fifty concurrent edits lose no field, and an edit of an outdated text is refused', async () => {
  const number = await open('edited')
  const edits = Array.from({ length: 50 }, (_, i) =>
    i % 2 === 0 ? { title: `title ${i}` } : { body: `body ${i}`, content_version: 0 },
  )
  const replies = await Promise.all(
    edits.map((edit) => forge.call('wes', 'PATCH', `${ROOT}/${number}`, edit)),
  )
  const bodies = replies.filter((_, i) => i % 2 === 1).map(({ status }) => status)
  assert.equal(bodies.filter((status) => status === 201).length, 1)
  assert.equal(bodies.filter((status) => status === 409).length, 24)
  assert.ok(replies.filter((_, i) => i % 2 === 0).every(({ status }) => status === 201))
  const { body } = await forge.call('wes', 'GET', `${ROOT}/${number}`)
  assert.match(body.title, /^title \d+$/)
  assert.match(body.body, /^body \d+$/)
  assert.equal(body.content_version, 1)
})

test('lists, head and base lookups use indexes among 100,000 pull requests', async () => {
  const { body: other } = await forge.call('ann', 'POST', '/user/repos', { name: 'large' })
  const { id } = (await forge.call('ann', 'GET', '/repos/ann/one')).body
  await insertMany(
    forge.db,
    sql`with made as (
      insert into issue (repository_id, number, is_pull, title, body, is_closed, author_id, ref, created_at, updated_at)
      select ${other.id}, i, true, 'title', '', i % 20 <> 0, null, '', now() - i * interval '1 second', now()
      from generate_series(1, 100000) as i returning id, number, is_closed)
    insert into pull_request (issue_id, repository_id, number, is_open, base_branch, head_repository_id, head_branch,
      flow, head_oid, version, merge_base, allows_maintainer_edit, mergeability, created_at)
    select id, ${other.id}, number, not is_closed, 'base-' || number % 50, ${other.id}, 'head-' || number,
      'branch', 'x', 1, '', true, 'checking', now() from made`,
  )
  await sql`analyze issue, pull_request`.execute(forge.db)
  for (const query of [
    {},
    { state: 'all' },
    { state: 'closed' },
    { sort: 'oldest' },
    { base_branch: 'base-7' },
    { milestone: 7 },
    { labels: [7] },
  ])
    await assertIndexed(forge.db, selectPulls(forge.ctx, other.id, query).limit(50), 'pull_request')
  await assertIndexed(forge.db, selectPulls(forge.ctx, id, {}, 7).limit(50), 'pull_request')
  await assertIndexed(forge.db, selectFollowing(forge.db, other.id, ['head-20']), 'pull_request')
  const topic = { repositoryId: other.id, authorId: 7, baseBranch: 'base-0', topic: 'x' }
  await assertIndexed(forge.db, selectByTopic(forge.db, topic), 'pull_request')
  await assertIndexed(forge.db, selectAimedAt(forge.db, other.id, ['base-0'], 50), 'pull_request')
  await assertIndexed(forge.db, selectListed(forge.ctx, [7, 8, 9]), 'pull_request')
})

test('10,000 changed files are paged with one git call', async () => {
  await using git = await GitClient.open(forge, 'wes', 'ann/one')
  await git.ok('fetch', '--quiet', 'origin')
  await git.ok('checkout', '--quiet', '-B', 'many', 'origin/main')
  const blob = await git.ok('rev-parse', 'HEAD:README.md')
  const lines = Array.from({ length: 10_000 }, (_, i) => `100644 ${blob}\tdir-${i % 100}/file-${i}.md`)
  await writeFile(join(git.folder, 'index'), `${lines.join('\n')}\n`)
  await git.ok('-c', 'alias.fill=!git update-index --index-info < index', 'fill')
  await git.ok('commit', '--quiet', '--message', 'many')
  await git.ok('push', '--quiet', 'origin', 'many')
  const { body: pull } = await forge.call('wes', 'POST', ROOT, { title: 'many', head: 'many', base: 'main' })
  assert.equal(pull.changed_files, 10_000)
  const read = (page: number) =>
    forge.call('eve', 'GET', `${ROOT}/${pull.number}/files?limit=50&page=${page}`)
  const { started } = await forge.watchGit(async () => {
    const [first, last] = [await read(1), await read(200)]
    assert.deepEqual([first.body.length, last.body.length], [50, 50])
    assert.equal(first.headers.get('x-total-count'), '10000')
  })
  assert.deepEqual(started, [])
})
