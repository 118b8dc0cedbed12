/** A project of GitLab, told in the shapes of its REST API: merge requests get numbers beside those of issues. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setRefs } from '#git'
import { transact } from '#platform/context'
import { type Forge, GitClient, startForge } from '#testing'
import { ApiSource } from '#testing/slices/api-source'

const AT = '/projects/group%2Fsub%2Fsite'
const CREATED = '2019-03-04T05:06:07.000Z'
const UPDATED = '2020-01-02T03:04:05.000Z'
const ada = { id: 11, username: 'ada', name: 'Ada', state: 'active' }
const bea = { id: 12, username: 'bea', name: 'Bea', state: 'active' }
const ALL = { issues: true, labels: true, milestones: true, pull_requests: true, releases: true }

let forge: Forge
let source: ApiSource
const oids = { main: '', head: '' }
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  oids.main = await client.commit('a.txt', 'one\ntwo\nthree\nfour\n')
  oids.head = await client.commit('a.txt', 'one\n2\n3\nfour\n')
  await client.ok('tag', 'v1', oids.main)
  await client.ok(
    'push',
    '--quiet',
    'origin',
    `${oids.main}:refs/heads/main`,
    `${oids.head}:refs/heads/topic`,
  )
  await client.ok('push', '--quiet', 'origin', 'v1')
  const { storage_id } = await forge.db
    .selectFrom('repository')
    .select('storage_id')
    .executeTakeFirstOrThrow()
  await transact(forge.ctx, (ctx) =>
    setRefs(
      ctx,
      storage_id,
      [1, 2, 9].map((iid) => ({ name: `refs/merge-requests/${iid}/head`, oid: oids.head })),
    ),
  )
  await forge.runJobs()
  source = await ApiSource.open(forge.base, '/api/v4')
  source.gitPaths = { '/group/sub/site': '/ann/site' }
})
after(async () => {
  await source[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})
beforeEach(() => source.reset(recordsOf()))

const times = { created_at: CREATED, updated_at: UPDATED }
const note = (id: number, body: string, more: object = {}) => ({
  id,
  type: null,
  body,
  author: bea,
  system: false,
  internal: false,
  ...times,
  ...more,
})
const position = (more: object) => ({
  base_sha: oids.main,
  start_sha: oids.main,
  head_sha: oids.head,
  old_path: 'a.txt',
  new_path: 'a.txt',
  position_type: 'text',
  old_line: null,
  new_line: null,
  ...more,
})

/** As https://docs.gitlab.com/api tells them. */
function recordsOf(): Record<string, unknown> {
  const shared = { description: null, labels: [], milestone: null, author: ada, closed_at: null, ...times }
  const issue = (iid: number, more: object = {}) => ({
    id: 500 + iid,
    iid,
    title: `Issue ${iid}`,
    state: 'opened',
    discussion_locked: null,
    confidential: false,
    due_date: null,
    user_notes_count: 0,
    ...shared,
    ...more,
  })
  const merge = (iid: number, more: object = {}) => ({
    id: 900 + iid,
    iid,
    title: `Merge ${iid}`,
    state: 'opened',
    merged_at: null,
    merge_commit_sha: null,
    squash_commit_sha: null,
    target_branch: 'main',
    source_branch: 'topic',
    target_project_id: 7,
    source_project_id: 7,
    sha: oids.head,
    discussion_locked: null,
    user_notes_count: 0,
    ...shared,
    ...more,
  })
  return {
    [`${AT}/labels`]: [{ id: 1, name: 'bug', color: '#d73a4a', description: null, priority: null }],
    [`${AT}/milestones`]: [
      { id: 1, iid: 1, title: 'v1', description: '', state: 'closed', due_date: '2020-05-06', ...times },
    ],
    [`${AT}/issues`]: [
      issue(1, {
        labels: ['bug'],
        milestone: { id: 1, iid: 1, title: 'v1' },
        description: 'Fixed by !1, see `!1` and !77',
        user_notes_count: 3,
      }),
      issue(2, { state: 'closed', closed_at: UPDATED, discussion_locked: true }),
      issue(5, { confidential: true, user_notes_count: 1 }),
    ],
    [`${AT}/issues/1/notes`]: [
      note(1, 'Me too, as !2 says'),
      note(2, 'added ~bug label', { system: true }),
      note(3, 'For members', { internal: true }),
    ],
    [`${AT}/issues/5/notes`]: [note(4, 'Secret')],
    [`${AT}/merge_requests`]: [
      merge(1, { description: 'Closes #1', user_notes_count: 4 }),
      merge(2, { state: 'merged', merged_at: UPDATED, merge_commit_sha: oids.main, source_project_id: null }),
      merge(9, { state: 'closed', closed_at: UPDATED }),
    ],
    [`${AT}/merge_requests/1/discussions`]: [
      { id: 'a', individual_note: true, notes: [note(11, 'Looks fine')] },
      { id: 'b', individual_note: true, notes: [note(12, 'mentioned in commit', { system: true })] },
      {
        id: 'c',
        individual_note: false,
        notes: [
          note(13, 'These lines', {
            type: 'DiffNote',
            position: position({
              new_line: 3,
              line_range: { start: { line_code: 'x', type: 'new', old_line: null, new_line: 2 }, end: {} },
            }),
          }),
          note(14, 'Done in !2', { type: 'DiffNote', author: ada, position: position({ new_line: 3 }) }),
        ],
      },
      { id: 'd', notes: [note(15, 'Why gone?', { position: position({ old_line: 2 }) })] },
    ],
    [`${AT}/merge_requests/1/approvals`]: { approved_by: [{ user: bea }] },
    [`${AT}/merge_requests/2/approvals`]: { approved_by: [] },
    [`${AT}/releases`]: [
      {
        tag_name: 'v1',
        name: 'One',
        description: 'Notes',
        created_at: CREATED,
        released_at: UPDATED,
        author: ada,
        assets: {
          count: 3,
          links: [
            { id: 1, name: 'tool [x]', url: 'https://files.test/tool.bin', link_type: 'other' },
            { id: 2, name: 'bad', url: 'javascript:alert(1)' },
          ],
        },
      },
    ],
  }
}

async function migrate(repo_name: string, more: object = {}) {
  const asking = forge.call('bob', 'POST', '/repos/migrate', {
    clone_addr: `${source.url}/group/sub/site.git`,
    repo_name,
    service: 'gitlab',
    auth_token: forge.tokenOf('ann'),
    ...ALL,
    ...more,
  })
  const answer = await forge.withJobs(asking)
  await forge.runJobs()
  return answer
}
async function get(path: string) {
  const { status, body } = await forge.call('bob', 'GET', `/repos/bob/${path}`)
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  return body
}
const bodiesOf = (list: readonly { body: string }[]) => list.map(({ body }) => body)

test('issues keep their numbers, merge requests those that are free, and references follow', async () => {
  const { status, body } = await migrate('copy')
  assert.equal(status, 201, JSON.stringify(body))
  const issues = await get('copy/issues?state=all')
  assert.deepEqual(
    issues
      .map((it: Record<string, unknown>) => [it.number, it.title, it.state, it.pull_request !== null])
      .sort(),
    [
      [1, 'Issue 1', 'open', false],
      [10, 'Merge 1', 'open', true],
      [11, 'Merge 2', 'closed', true],
      [2, 'Issue 2', 'closed', false],
      [9, 'Merge 9', 'closed', true],
    ],
  )
  const first = await get('copy/issues/1')
  assert.deepEqual(
    [
      first.body,
      first.labels[0].name,
      first.milestone.title,
      first.original_author,
      first.original_author_id,
    ],
    ['Fixed by #10, see `!1` and !77', 'bug', 'v1', 'ada', 11],
  )
  assert.equal((await get('copy/issues/2')).is_locked, true)
  const moved = await get('copy/pulls/10')
  assert.deepEqual(
    [moved.body, moved.head.ref, moved.head.sha],
    ['Closes #1\n\n*This was merge request !1 of group/sub/site.git.*', 'topic', oids.head],
  )
  const merged = await get('copy/pulls/11')
  assert.deepEqual([merged.merged, merged.merge_commit_sha, merged.head.repo], [true, oids.main, null])
  assert.equal((await get('copy/pulls/9')).body, '')
  await using git = await GitClient.open(forge, 'bob', 'bob/copy')
  assert.equal(await git.remoteRef('refs/pull/10/head'), oids.head)
  assert.deepEqual(
    [await git.remoteRef('refs/pull/1/head'), await git.remoteRef('refs/merge-requests/1/head')],
    ['', ''],
  )
  const { body: next } = await forge.call('bob', 'POST', '/repos/bob/copy/issues', { title: 'next' })
  assert.equal(next.number, 12)
})

test('system notes, and notes and issues for members, do not come into a public repository', async () => {
  assert.deepEqual(bodiesOf(await get('copy/issues/1/comments')), ['Me too, as #11 says'])
  assert.equal((await forge.call('bob', 'GET', '/repos/bob/copy/issues/5')).status, 404)
  assert.ok(!source.asked.some((it) => it.includes('/issues/5/notes')))
  assert.equal((await migrate('secret', { private: true })).status, 201)
  assert.deepEqual(bodiesOf(await get('secret/issues/1/comments')), ['Me too, as #11 says', 'For members'])
  assert.deepEqual(bodiesOf(await get('secret/issues/5/comments')), ['Secret'])
})

test('approvals and discussions on lines come as reviews, other notes as comments', async () => {
  assert.deepEqual(bodiesOf(await get('copy/issues/10/comments')), ['Looks fine'])
  const reviews = await get('copy/pulls/10/reviews')
  assert.deepEqual(reviews.map((it: { state: string }) => it.state).sort(), [
    'APPROVED',
    'COMMENT',
    'COMMENT',
    'COMMENT',
  ])
  const lines = await Promise.all(
    reviews.map(({ id }: { id: number }) => get(`copy/pulls/10/reviews/${id}/comments`)),
  )
  assert.deepEqual(
    lines
      .flat()
      .map((it) => [it.body, it.path, it.position, it.original_position, it.start_line])
      .sort(),
    [
      ['Done in #11', 'a.txt', 3, 0, 2],
      ['These lines', 'a.txt', 3, 0, 2],
      ['Why gone?', 'a.txt', 0, 2, undefined],
    ],
  )
})

test('links of releases become links in the text, and only those of the web', async () => {
  const [release] = await get('copy/releases')
  assert.deepEqual([release.tag_name, release.assets], ['v1', []])
  assert.equal(release.body, 'Notes\n\n- [tool x](<https://files.test/tool.bin>)')
})

test("GitLab's limit puts the import off, and a token without the scope fails it", async () => {
  const headers = { 'ratelimit-remaining': '0', 'retry-after': '42' }
  source.interrupt = (asked) => (asked.includes('/approvals') ? { status: 429, headers } : undefined)
  const asking = migrate('later')
  const waiting = () =>
    forge.db.selectFrom('import').select('id').where('postponed', '=', 1).executeTakeFirst()
  while ((await waiting()) === undefined) await sleep(50)
  source.interrupt = () => undefined
  await forge.makeJobsDue()
  assert.equal((await asking).status, 201)
  assert.equal(source.asked.filter((it) => it === `${AT}/issues 1`).length, 1)
  assert.deepEqual([...new Set(source.secrets)], [`Bearer ${forge.tokenOf('ann')}`])
  source.interrupt = () => ({ status: 403, body: { error: 'insufficient_scope' } })
  assert.equal((await migrate('lost')).status, 422)
  source.interrupt = (asked) => (asked.startsWith(`${AT}/issues`) ? { status: 403 } : undefined)
  assert.equal((await migrate('without-issues')).status, 201)
  assert.equal((await get('without-issues/pulls?state=all')).length, 3)
})
