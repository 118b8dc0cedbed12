/** A repository of GitHub, told in the shapes of its REST API: everything comes, under its numbers. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setRefs } from '#git'
import { transact } from '#platform/context'
import { type Forge, GitClient, startForge } from '#testing'
import { ApiSource } from '#testing/slices/api-source'

const AT = '/repos/ann/site'
const CREATED = '2019-03-04T05:06:07Z'
const UPDATED = '2020-01-02T03:04:05Z'
const octocat = { login: 'octocat', id: 583231, type: 'User' }
const hubot = { login: 'hubot', id: 480938, type: 'User' }
const ALL = { issues: true, labels: true, milestones: true, pull_requests: true, releases: true, wiki: true }
const tool = randomBytes(5_000)

let forge: Forge
let source: ApiSource
/** Commits of the source. */
const oids = { main: '', head: '', other: '' }
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  const made = await forge.call('ann', 'POST', '/user/repos', { name: 'site', private: true })
  assert.equal(made.status, 201)
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  oids.main = await client.commit('a.txt', 'one\ntwo\nthree\nfour\n')
  oids.head = await client.commit('a.txt', 'one\n2\n3\nfour\n')
  oids.other = await client.commit('b.txt', 'of a fork that is gone')
  await client.ok(
    'push',
    '--quiet',
    'origin',
    `${oids.main}:refs/heads/main`,
    `${oids.head}:refs/heads/topic`,
  )
  await client.ok('tag', 'v1', oids.main)
  await client.ok('push', '--quiet', 'origin', 'v1', `${oids.other}:refs/heads/hidden`)
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .executeTakeFirstOrThrow()
  await transact(forge.ctx, (ctx) =>
    setRefs(ctx, storage_id, [
      { name: 'refs/pull/2/head', oid: oids.head },
      { name: 'refs/pull/4/head', oid: oids.other },
    ]),
  )
  await forge.runJobs()
  source = await ApiSource.open(forge.base, '/api/v3')
})
after(async () => {
  await source[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})
beforeEach(() => source.reset(recordsOf(source.url)))

const times = { created_at: CREATED, updated_at: UPDATED }
const remark = (id: number, review: number | null, more: object) => ({
  id,
  pull_request_review_id: review,
  pull_request_url: `https://api.github.com${AT}/pulls/2`,
  diff_hunk: '@@ -1,4 +1,4 @@\n one\n-two\n+2',
  path: 'a.txt',
  position: 1,
  original_position: 4,
  commit_id: oids.head,
  original_commit_id: oids.head,
  user: hubot,
  side: 'RIGHT',
  start_line: null,
  original_start_line: null,
  start_side: null,
  subject_type: 'line',
  ...times,
  ...more,
})

/** As https://docs.github.com/rest tells them. */
function recordsOf(base: string): Record<string, unknown> {
  const label = { id: 1, name: 'bug', color: 'd73a4a', default: true, description: "Something isn't working" }
  const milestone = { number: 1, title: 'v1', state: 'open', description: null, due_on: null, ...times }
  const issue = (number: number, more: object) => ({
    number,
    id: 1_000 + number,
    title: `Title ${number}`,
    body: null,
    state: 'open',
    locked: false,
    user: octocat,
    labels: [],
    milestone: null,
    comments: 0,
    closed_at: null,
    ...times,
    ...more,
  })
  const pull = (number: number, more: object) => ({
    ...issue(number, {}),
    merged_at: null,
    merge_commit_sha: null,
    base: { ref: 'main', sha: oids.main, repo: { full_name: 'ann/site' } },
    head: { ref: 'topic', sha: oids.head, repo: { full_name: 'ann/site' } },
    ...more,
  })
  const closed = { state: 'closed', closed_at: UPDATED }
  return {
    [`${AT}/labels`]: [label],
    [`${AT}/milestones`]: [milestone],
    [`${AT}/issues`]: [
      issue(1, { labels: [label], milestone, locked: true, body: 'It breaks' }),
      issue(2, { pull_request: { merged_at: null } }),
      issue(4, { pull_request: { merged_at: UPDATED }, ...closed, user: null }),
      issue(7, closed),
    ],
    [`${AT}/issues/comments`]: [
      { id: 5, body: 'Me too', issue_url: `https://api.github.com${AT}/issues/1`, user: hubot, ...times },
    ],
    [`${AT}/pulls`]: [
      pull(2, {}),
      pull(4, {
        ...closed,
        merged_at: UPDATED,
        merge_commit_sha: oids.main,
        head: { ref: 'main', sha: oids.other, user: null, repo: null },
      }),
    ],
    [`${AT}/pulls/comments`]: [
      remark(31, 21, {
        body: 'Both lines',
        line: 3,
        original_line: 3,
        start_line: 2,
        original_start_line: 2,
      }),
      remark(32, 21, { body: 'Why not two?', side: 'LEFT', line: 2, original_line: 2 }),
      remark(33, 24, { body: 'A reply', in_reply_to_id: 31, user: octocat, line: 3, original_line: 3 }),
      remark(34, null, { body: 'Very old', line: null, original_line: 1, original_commit_id: oids.main }),
    ],
    [`${AT}/pulls/2/reviews`]: [
      {
        id: 21,
        user: hubot,
        body: 'Please change',
        state: 'CHANGES_REQUESTED',
        commit_id: oids.head,
        submitted_at: CREATED,
      },
      { id: 22, user: hubot, body: '', state: 'APPROVED', commit_id: oids.head, submitted_at: UPDATED },
      {
        id: 23,
        user: null,
        body: 'No longer',
        state: 'DISMISSED',
        commit_id: oids.head,
        submitted_at: UPDATED,
      },
      { id: 24, user: octocat, body: '', state: 'COMMENTED', commit_id: oids.head, submitted_at: UPDATED },
      { id: 25, user: octocat, body: '', state: 'PENDING', commit_id: oids.head },
      { id: 26, user: octocat, body: '', state: 'COMMENTED', commit_id: oids.head, submitted_at: UPDATED },
    ],
    [`${AT}/pulls/4/reviews`]: [],
    [`${AT}/releases`]: [
      {
        tag_name: 'v1',
        target_commitish: 'main',
        name: 'One',
        body: 'Notes',
        draft: false,
        prerelease: true,
        created_at: CREATED,
        published_at: UPDATED,
        author: octocat,
        assets: [
          {
            id: 9,
            name: 'tool.bin',
            size: tool.length,
            url: `${base}/api/v3${AT}/releases/assets/9`,
            browser_download_url: `${base}/only/for/people`,
          },
        ],
      },
    ],
    [`${AT}/releases/assets/9`]: tool,
  }
}

async function migrate(repo_name: string, more: object = ALL) {
  const asking = forge.call('bob', 'POST', '/repos/migrate', {
    clone_addr: `${source.url}/ann/site.git`,
    repo_name,
    service: 'github',
    auth_token: forge.tokenOf('ann'),
    private: true,
    ...more,
  })
  const answer = await forge.withJobs(asking)
  await forge.runJobs()
  return answer
}
async function get(path: string) {
  const { status, body } = await forge.call('bob', 'GET', path)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}

test('issues, pull requests and comments come under their numbers, with authors, states and times', async () => {
  const { status, body } = await migrate('copy')
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.private, true)
  const issues = await get('/repos/bob/copy/issues?state=all')
  assert.deepEqual(
    issues
      .map((it: Record<string, unknown>) => [
        it.number,
        it.state,
        it.pull_request !== null,
        it.original_author,
      ])
      .sort(),
    [
      [1, 'open', false, 'octocat'],
      [2, 'open', true, 'octocat'],
      [4, 'closed', true, ''],
      [7, 'closed', false, 'octocat'],
    ],
  )
  const first = await get('/repos/bob/copy/issues/1')
  assert.deepEqual(
    [first.body, first.is_locked, first.labels[0].name, first.milestone.title, first.original_author_id],
    ['It breaks', true, 'bug', 'v1', octocat.id],
  )
  const [comment] = await get('/repos/bob/copy/issues/1/comments')
  assert.deepEqual([comment.body, comment.original_author, comment.created_at], ['Me too', 'hubot', CREATED])
  const open = await get('/repos/bob/copy/pulls/2')
  assert.deepEqual([open.head.ref, open.head.sha, open.merged], ['topic', oids.head, false])
  const gone = await get('/repos/bob/copy/pulls/4')
  assert.deepEqual(
    [gone.merged, gone.merged_at, gone.merge_commit_sha, gone.head.repo, gone.head.sha],
    [true, UPDATED, oids.main, null, oids.other],
  )
  const { body: next } = await forge.call('bob', 'POST', '/repos/bob/copy/issues', { title: 'next' })
  assert.equal(next.number, 8)
})

test('reviews come with their verdicts, and remarks with their lines, sides, ranges and replies', async () => {
  const reviews = await get('/repos/bob/copy/pulls/2/reviews')
  assert.deepEqual(
    reviews.map((it: Record<string, unknown>) => [it.state, it.body, it.dismissed, it.comments_count]),
    [
      ['REQUEST_CHANGES', 'Please change', false, 2],
      ['COMMENT', '', false, 1],
      ['APPROVED', '', false, 0],
      ['REQUEST_CHANGES', 'No longer', true, 0],
      ['COMMENT', '', false, 1],
    ],
  )
  const lines = await Promise.all(
    reviews.map(({ id }: { id: number }) => get(`/repos/bob/copy/pulls/2/reviews/${id}/comments`)),
  )
  assert.deepEqual(
    lines
      .flat()
      .map((it) => [it.body, it.position, it.original_position, it.start_line, it.original_commit_id]),
    [
      ['Both lines', 3, 0, 2, ''],
      ['Why not two?', 0, 2, undefined, ''],
      ['Very old', 1, 0, undefined, oids.main],
      ['A reply', 3, 0, 2, ''],
    ],
  )
})

test('releases come with files, which are downloaded by the API', async () => {
  const [release] = await get('/repos/bob/copy/releases')
  assert.deepEqual([release.tag_name, release.name, release.prerelease], ['v1', 'One', true])
  const { uuid, size } = release.assets[0]
  assert.equal(size, tool.length)
  const got = await fetch(`${forge.base}/attachments/${uuid}`, {
    headers: { authorization: `token ${forge.tokenOf('bob')}` },
  })
  assert.ok(Buffer.from(await got.arrayBuffer()).equals(tool))
})

test('at a limit among the reviews the import goes on with the next pull request', async () => {
  const isLast = (asked: string) => asked.startsWith(`${AT}/pulls/4/reviews`)
  source.interrupt = (asked) =>
    isLast(asked) ? { status: 403, headers: { 'x-ratelimit-remaining': '0' } } : undefined
  const asking = migrate('later')
  while (!source.asked.some(isLast)) await sleep(50)
  source.interrupt = () => undefined
  const isWaiting = () =>
    forge.db.selectFrom('import').select('id').where('postponed', '=', 1).executeTakeFirst()
  while ((await isWaiting()) === undefined) await sleep(50)
  await forge.makeJobsDue()
  assert.equal((await asking).status, 201)
  assert.equal(source.asked.filter((it) => it.startsWith(`${AT}/pulls/2/reviews`)).length, 1)
  assert.equal((await get('/repos/bob/later/pulls/2/reviews')).length, 5)
})

test('at a limit among the files of releases only those that are missing are downloaded', async () => {
  const [release] = source.records[`${AT}/releases`] as { assets: object[] }[]
  const asset = (id: number) => ({
    id,
    name: `${id}.bin`,
    url: `${source.url}/api/v3${AT}/releases/assets/${id}`,
  })
  const assets = [1, 2, 3].map((id) => ({ ...asset(id), browser_download_url: `${source.url}/for/people` }))
  source.records[`${AT}/releases`] = [{ ...release, assets }]
  for (const id of [1, 2, 3]) source.records[`${AT}/releases/assets/${id}`] = Buffer.from(`bytes of ${id}`)
  const countOf = (id: number) =>
    source.asked.filter((it) => it.startsWith(`${AT}/releases/assets/${id} `)).length
  source.interrupt = (asked) =>
    asked.startsWith(`${AT}/releases/assets/3`)
      ? { status: 403, headers: { 'x-ratelimit-remaining': '0' } }
      : undefined
  const asking = migrate('interrupted')
  const isWaiting = () =>
    forge.db.selectFrom('import').select('id').where('postponed', '=', 1).where('state', '=', 'waiting')
  while ((await isWaiting().executeTakeFirst()) === undefined) await sleep(50)
  // One of the files was swept while the import waited.
  const [first] = await forge.db
    .selectFrom('attachment')
    .select('id')
    .where('name', '=', '1.bin')
    .where('release_id', 'is', null)
    .execute()
  await forge.db
    .deleteFrom('attachment')
    .where('id', '=', first?.id ?? 0)
    .execute()
  source.interrupt = () => undefined
  await forge.makeJobsDue()
  assert.equal((await asking).status, 201)
  assert.deepEqual([1, 2, 3].map(countOf), [2, 1, 2])
  const [{ assets: brought }] = await get('/repos/bob/interrupted/releases')
  assert.deepEqual(brought.map(({ name }: { name: string }) => name).toSorted(), ['1.bin', '2.bin', '3.bin'])
})

for (const [what, path, record] of [
  ['zero', 'issues', { number: 0 }],
  ['below zero', 'issues', { number: -1 }],
  ['2^53', 'pulls', { number: 2 ** 53, base: {}, head: {} }],
  ['a line of 2^53', 'pulls/comments', { id: 1, line: 2 ** 53 }],
] as const)
  test(`a record with an impossible number fails the import: ${what}`, async () => {
    source.records = { ...source.records, [`${AT}/${path}`]: [record] }
    assert.equal((await migrate('lost')).status, 422)
    assert.equal((await forge.call('bob', 'GET', '/repos/bob/lost')).status, 404)
  })
