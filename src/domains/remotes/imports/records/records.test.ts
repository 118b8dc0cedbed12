/** Imported labels, milestones, issues and comments: once, complete, with numbers, times and authors. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Forge, GitClient, startForge } from '#testing'
import { RestSource } from '#testing/slices/imports'
import { runImport } from '../orders/run-import.ts'

const ALL = { issues: true, labels: true, milestones: true }
const CREATED = '2019-03-04T05:06:07Z'
const UPDATED = '2020-01-02T03:04:05Z'

let forge: Forge
let source: RestSource
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  await client.commit('a.txt', 'a')
  await client.ok('push', '--quiet', 'origin', 'main')
  source = await RestSource.open(forge.base)
  await forge.runJobs()
})
after(async () => {
  await source[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})
beforeEach(() => {
  source.lists = { labels: [], milestones: [], issues: [], comments: [] }
  source.asked.length = 0
  source.secrets.clear()
  source.hangs.clear()
})

const eve = { id: 77, login: 'eve' }
function issue(number: number, more: object = {}) {
  const texts = { title: `Issue ${number}`, body: `Body ${number}`, state: 'open' }
  return { number, ...texts, user: eve, created_at: CREATED, updated_at: UPDATED, ...more }
}
function comment(id: number, number: number, more: object = {}) {
  const issue_url = `http://elsewhere.test/ann/site/issues/${number}`
  return { id, body: `Said ${id}`, issue_url, user: eve, created_at: CREATED, updated_at: UPDATED, ...more }
}

const orderOf = (repo_name: string, more: object) => ({
  clone_addr: `${source.url}/ann/site.git`,
  repo_name,
  service: 'gitea',
  auth_token: forge.tokenOf('ann'),
  ...more,
})

async function migrate(name: string, more: object = ALL) {
  const asking = forge.call('bob', 'POST', '/repos/migrate', orderOf(name, more))
  return forge.withJobs(asking)
}

async function get(name: string, path: string) {
  const { status, body } = await forge.call('bob', 'GET', `/repos/bob/${name}${path}`)
  assert.equal(status, 200, path)
  return body
}
const numbersOf = async (name: string) =>
  (await get(name, '/issues?state=all')).map((it: { number: number }) => it.number)
const pagesLeft = async () => (await forge.db.selectFrom('import_page').select('place').execute()).length

test('records of another forge are imported with numbers, times, states and author names', async () => {
  const at = '/repos/ann/site'
  const label = await forge.call('ann', 'POST', `${at}/labels`, { name: 'bug', color: '#ff0000' })
  const milestone = await forge.call('ann', 'POST', `${at}/milestones`, {
    title: 'one',
    description: 'first',
  })
  const facts = { labels: [label.body.id], milestone: milestone.body.id }
  await forge.call('ann', 'POST', `${at}/issues`, { title: 'Open', body: 'as told', ...facts })
  await forge.call('ann', 'POST', `${at}/issues`, { title: 'Closed', closed: true, ...facts })
  await forge.call('ann', 'POST', `${at}/issues`, { title: 'Gone' })
  await forge.call('ann', 'DELETE', `${at}/issues/3`)
  await forge.call('bob', 'POST', `${at}/issues`, { title: 'Locked' })
  await forge.call('bob', 'POST', `${at}/issues/1/comments`, { body: 'hello' })
  await forge.call('ann', 'PUT', `${at}/issues/4/lock`, {})

  const asking = migrate('copy', { ...ALL, clone_addr: `${forge.base}/ann/site.git` })
  const { status, body } = await asking
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.open_issues_count, 2)
  const kept = [
    'number',
    'title',
    'body',
    'state',
    'is_locked',
    'comments',
    'created_at',
    'updated_at',
    'closed_at',
  ]
  const pick = (it: Record<string, unknown>) => kept.map((field) => it[field])
  const there = await forge.call('ann', 'GET', `${at}/issues?state=all`)
  const here = await get('copy', '/issues?state=all')
  assert.deepEqual(here.sort(byNumber).map(pick), there.body.sort(byNumber).map(pick))
  const [first] = here
  assert.deepEqual([first.user.login, first.original_author, first.milestone.title], ['Ghost', 'ann', 'one'])
  const { body: ann } = await forge.call(null, 'GET', '/users/ann')
  assert.equal(first.original_author_id, ann.id)
  assert.deepEqual(
    first.labels.map((it: { name: string; color: string }) => [it.name, it.color]),
    [['bug', 'ff0000']],
  )
  const [said] = await get('copy', '/issues/1/comments')
  assert.deepEqual([said.body, said.user.login, said.original_author], ['hello', 'Ghost', 'bob'])
  const [one] = await get('copy', '/milestones?state=all')
  assert.deepEqual([one.description, one.open_issues, one.closed_issues], ['first', 1, 1])
  const counts = await forge.db
    .selectFrom('label_count')
    .innerJoin('label', 'label.id', 'label_count.label_id')
    .innerJoin('repository', 'repository.id', 'label.repository_id')
    .select(['issues', 'closed_issues'])
    .where('repository.name', '=', 'copy')
    .execute()
  assert.deepEqual(counts, [{ issues: 2, closed_issues: 1 }])
  const next = await forge.call('bob', 'POST', '/repos/bob/copy/issues', { title: 'next' })
  assert.equal(next.body.number, 5)
  assert.equal((await get('copy', '')).open_issues_count, 3)
})
const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number

test('imported records notify no one', async () => {
  const told = async () =>
    (
      await sql<{ told: number }>`select count(*) as told from event where subject like 'issue.%'`.execute(
        forge.db,
      )
    ).rows[0]?.told
  const before = await told()
  source.lists = {
    ...source.lists,
    issues: [issue(1), issue(2, { body: '@bob look' })],
    comments: [comment(1, 1)],
  }
  assert.equal((await migrate('quiet')).status, 201)
  assert.equal(await told(), before)
  assert.deepEqual(await get('quiet', '/activities/feeds'), [])
  assert.deepEqual(await get('quiet', '/notifications?all=true'), [])
  // They are found by search like any others.
  const { body } = await forge.call(null, 'GET', '/repos/issues/search?q=look&type=issues')
  assert.equal(
    body.filter((it: { repository: { name: string } }) => it.repository.name === 'quiet').length,
    1,
  )
})

test('pull requests are not imported, and their numbers are not reused', async () => {
  const pull = { pull_request: { merged: false } }
  source.lists = {
    ...source.lists,
    issues: [issue(1), issue(2, pull), issue(4, { pull_request: null }), issue(9, pull)],
    comments: [comment(1, 2), comment(2, 4), comment(3, 9, { issue_url: '' }), comment(4, 999)],
  }
  assert.equal((await migrate('pulls')).status, 201)
  assert.deepEqual((await numbersOf('pulls')).sort(), [1, 4])
  assert.deepEqual(
    (await get('pulls', '/issues/comments')).map((it: { body: string }) => it.body),
    ['Said 2'],
  )
  const { body } = await forge.call('bob', 'POST', '/repos/bob/pulls/issues', { title: 'next' })
  assert.equal(body.number, 10)
})

test('many pages are imported completely, and a record listed twice is inserted once', async () => {
  const issues = Array.from({ length: 120 }, (_, i) => issue(i + 1))
  const comments = Array.from({ length: 110 }, (_, i) => comment(i + 1, (i % 10) + 1))
  source.lists = {
    ...source.lists,
    issues: [...issues.slice(0, 60), ...issues.slice(40)],
    comments: [...comments.slice(0, 70), ...comments.slice(45)],
  }
  assert.equal((await migrate('many')).status, 201)
  const { headers } = await forge.call('bob', 'GET', '/repos/bob/many/issues?state=all')
  assert.equal(headers.get('x-total-count'), '120')
  assert.equal((await get('many', '/issues/1')).comments, 11)
  assert.equal((await get('many', '/issues/1/comments')).length, 11)
  assert.equal((await get('many', '/issues/120')).comments, 0)
  assert.equal((await get('many', '')).open_issues_count, 120)
})

test("GitHub's API is imported like Gitea's", async () => {
  source.lists = {
    labels: [{ name: 'help', color: '008672', description: 'wanted' }],
    milestones: [{ title: 'v1', state: 'closed', closed_at: UPDATED, due_on: null, created_at: CREATED }],
    issues: [
      issue(3, { locked: true, labels: [{ name: 'help' }, { name: 'lost' }], milestone: { title: 'v1' } }),
    ],
    comments: [comment(8, 3, { issue_url: 'https://api.github.com/repos/ann/site/issues/3' })],
  }
  assert.equal((await migrate('hub', { ...ALL, service: 'GitHub' })).status, 201)
  const imported = await get('hub', '/issues/3')
  assert.deepEqual([imported.is_locked, imported.comments, imported.milestone.state], [true, 1, 'closed'])
  assert.deepEqual([imported.created_at, imported.updated_at], [CREATED, UPDATED])
  assert.deepEqual([imported.original_author, imported.original_author_id], ['eve', 77])
  assert.deepEqual(
    imported.labels.map((it: { name: string }) => it.name),
    ['help'],
  )
  assert.deepEqual([...source.secrets], [`Bearer ${forge.tokenOf('ann')}`])
})

for (const [what, more, expected] of [
  ['labels alone', { labels: true }, [1, 0, 0]],
  ['milestones alone', { milestones: true }, [0, 1, 0]],
  ['issues without labels and milestones', { issues: true }, [0, 0, 1]],
  ['nothing of a mirror', { ...ALL, mirror: true }, [0, 0, 0]],
  ['nothing of plain git', { ...ALL, service: 'git' }, [0, 0, 0]],
] as const)
  test(`only the requested kinds are imported: ${what}`, async () => {
    source.lists = {
      labels: [{ name: 'bug', color: '#ee0701' }],
      milestones: [{ title: 'one' }],
      issues: [issue(1, { labels: [{ name: 'bug' }], milestone: { title: 'one' } })],
      comments: [],
    }
    const name = what.replaceAll(' ', '-')
    assert.equal((await migrate(name, more)).status, 201)
    const lists = await Promise.all(
      ['/labels', '/milestones?state=all', '/issues?state=all'].map((path) => get(name, path)),
    )
    assert.deepEqual(
      lists.map((list) => list.length),
      expected,
    )
    for (const it of lists[2]) assert.deepEqual([it.labels, it.milestone], [[], null])
  })

test('invalid texts and times do not stop an import', async () => {
  const odd = {
    title: `a\0b\ud800${'x'.repeat(300)}`,
    body: 'nul\0 half \udfff',
    created_at: '-200000-01-01',
  }
  source.lists = {
    labels: [{ name: 'odd\0', color: 'no color' }],
    milestones: [{ title: 'odd\0', due_on: 'tomorrow' }],
    issues: [
      issue(1, { ...odd, user: null, labels: [{ name: 'odd\0' }] }),
      issue(2, { original_author: 'old', original_author_id: 5 }),
    ],
    comments: [comment(1, 1, { body: null, user: null, updated_at: '9999999-01-01' })],
  }
  assert.equal((await migrate('odd')).status, 201)
  const imported = await get('odd', '/issues/1')
  assert.equal(imported.body, 'nul half \ufffd')
  assert.match(imported.title, /^ab\ufffdx+…$/)
  assert.deepEqual([imported.original_author, imported.original_author_id], ['', 0])
  assert.deepEqual(
    imported.labels.map((it: { name: string; color: string }) => [it.name, it.color]),
    [['odd', 'cccccc']],
  )
  const second = await get('odd', '/issues/2')
  assert.deepEqual([second.original_author, second.original_author_id], ['old', 5])
})

test('an import from a source with too many or malformed records fails and leaves nothing', async () => {
  const tooMany = Array.from({ length: 1_001 }, (_, i) => ({ name: `label ${i}`, color: 'ffffff' }))
  for (const lists of [
    { labels: tooMany },
    { issues: [{ title: 'no number' }] },
    { issues: [issue(2 ** 40)] },
  ]) {
    source.lists = { labels: [], milestones: [], issues: [], comments: [], ...lists }
    assert.equal((await migrate('lost')).status, 422)
    assert.equal((await forge.call('bob', 'GET', '/repos/bob/lost')).status, 404)
  }
  assert.equal(await pagesLeft(), 0)
})

test('a worker that takes over resumes with the next page, and nothing is inserted twice', async () => {
  source.lists = {
    ...source.lists,
    labels: [{ name: 'bug', color: '#ee0701' }],
    issues: Array.from({ length: 120 }, (_, i) => issue(i + 1)),
    comments: [comment(1, 120)],
  }
  source.hangs.add('issues 3')
  const asking = forge.call('bob', 'POST', '/repos/migrate', orderOf('again', ALL))
  const find = () =>
    forge.db.selectFrom('import').select('id').where('name_key', '=', 'again').executeTakeFirst()
  while ((await find()) === undefined) await sleep(20)
  const order = { import_id: (await find())?.id }
  const dead = runImport(forge.ctx, order)
  while (!source.asked.includes('issues 3')) await sleep(20)
  source.hangs.clear()
  source.asked.length = 0
  await runImport(forge.ctx, order)
  const { status, body } = await asking
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual(source.asked, ['issues 3', 'issues 4', 'comments 1', 'comments 2'])
  assert.equal(body.open_issues_count, 120)
  assert.equal((await get('again', '/labels')).length, 1)
  assert.equal((await get('again', '/issues/120')).comments, 1)
  // The first worker notices that its import was claimed by another.
  await dead
  assert.equal(await pagesLeft(), 0)
})
