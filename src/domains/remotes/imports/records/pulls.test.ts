/** Imported pull requests: numbers, heads, states, comments and reviews. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Forge, GitClient, startForge } from '#testing'
import { RestSource } from '#testing/slices/imports'
import { runImport } from '../orders/run-import.ts'

const AT = '/repos/ann/site'
let forge: Forge
let source: RestSource
/** By state. */
const numbers = { open: 0, merged: 0, closed: 0, forked: 0 }
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent', 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site', auto_init: true })
  await call('ann', 'POST', `${AT}/issues`, { title: 'an issue' })
  numbers.open = await open('ann', AT, 'open', { title: 'Open', body: 'as told' })
  numbers.merged = await open('ann', AT, 'merged')
  numbers.closed = await open('ann', AT, 'closed')
  await call('bob', 'POST', `${AT}/forks`, {})
  numbers.forked = await open('bob', '/repos/bob/site', 'bob:forked')
  await call('bob', 'POST', `${AT}/issues/${numbers.open}/comments`, { body: 'why?' })
  await review(numbers.open, 'APPROVED', { body: 'good', comments: [remark(2, 'this one')] })
  await review(numbers.open, 'PENDING', { body: 'not yet' })
  await review(numbers.merged, 'REQUEST_CHANGES', { body: 'no' })
  await review(numbers.merged, 'COMMENT', { comments: Array.from({ length: 60 }, () => remark(1, 'again')) })
  await call('ann', 'PATCH', `${AT}/pulls/${numbers.closed}`, { state: 'closed' })
  await call('ann', 'POST', `${AT}/pulls/${numbers.merged}/merge`, { Do: 'merge' })
  await forge.runJobs()
  source = await RestSource.open(forge.base)
})
after(async () => {
  await source[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function open(as: string, repo: string, head: string, facts: object = {}): Promise<number> {
  const branch = head.replace(/^.*:/, '')
  const file = { content: btoa('one\ntwo\n'), branch: 'main', new_branch: branch }
  await call(as, 'POST', `${repo}/contents/${branch}.txt`, file)
  const pull = { head, base: 'main', title: branch, ...facts }
  return (await call(as, 'POST', `${AT}/pulls`, pull)).number
}

const review = (number: number, event: string, facts: object) =>
  call('bob', 'POST', `${AT}/pulls/${number}/reviews`, { event, ...facts })
const remark = (new_position: number, body: string) => ({ path: 'open.txt', new_position, body })

const orderOf = (repo_name: string, more: object) => ({
  clone_addr: `${forge.base}/ann/site.git`,
  repo_name,
  service: 'gitea',
  auth_token: forge.tokenOf('ann'),
  pull_requests: true,
  ...more,
})

async function migrate(name: string, more: object = {}) {
  const asking = forge.call('bob', 'POST', '/repos/migrate', orderOf(name, more))
  const { status, body } = await forge.withJobs(asking)
  assert.equal(status, 201, JSON.stringify(body))
  await forge.runJobs()
  return body
}

test('pull requests are imported with numbers, heads, times, states and comments', async () => {
  await migrate('copy', { issues: true })
  const there = await call('ann', 'GET', `${AT}/pulls?state=all`)
  const here = await call('bob', 'GET', '/repos/bob/copy/pulls?state=all')
  const kept = ['number', 'title', 'body', 'state', 'merged', 'merged_at', 'merge_commit_sha'] as const
  const more = ['created_at', 'updated_at', 'closed_at', 'review_comments', 'merge_base'] as const
  const pick = (it: Record<string, unknown> & { head: { sha: string }; base: { ref: string } }) => [
    ...[...kept, ...more].map((field) => it[field]),
    it.head.sha,
    it.base.ref,
  ]
  assert.deepEqual(here.map(pick).sort(), there.map(pick).sort())
  // The source may not have counted all its reviews.
  for (const { number, comments } of here) {
    const timeline = await call('bob', 'GET', `/repos/bob/copy/issues/${number}/timeline`)
    const said = timeline.filter(({ type }: { type: string }) => ['comment', 'review'].includes(type))
    assert.equal(comments, said.length)
  }
  const { open_issues_count, open_pr_counter } = await call('bob', 'GET', '/repos/bob/copy')
  assert.deepEqual([open_issues_count, open_pr_counter], [1, 2])
  const [said] = await call('bob', 'GET', `/repos/bob/copy/issues/${numbers.open}/comments`)
  assert.deepEqual([said.body, said.original_author], ['why?', 'bob'])
  const { user, mergeable } = await call('bob', 'GET', `/repos/bob/copy/pulls/${numbers.open}`)
  assert.deepEqual([user.login, mergeable], ['Ghost', true])
  const next = await call('bob', 'POST', '/repos/bob/copy/issues', { title: 'next' })
  assert.equal(next.number, 6)
})

test('reviews are imported with their line comments, pending reviews are not', async () => {
  const reviewsOf = async (as: string, repo: string, number: number) => {
    const reviews = await call(as, 'GET', `${repo}/pulls/${number}/reviews`)
    return reviews.filter((it: { state: string }) => it.state !== 'PENDING')
  }
  const kept = ['state', 'body', 'commit_id', 'dismissed', 'comments_count', 'submitted_at'] as const
  const pick = (it: Record<string, unknown>) => kept.map((field) => it[field])
  for (const number of [numbers.open, numbers.merged]) {
    const here = await reviewsOf('bob', '/repos/bob/copy', number)
    const there = await reviewsOf('bob', AT, number)
    assert.deepEqual(here.map(pick), there.map(pick))
    for (const { user, official } of here) assert.deepEqual([user.login, official], ['Ghost', false])
  }
  const linesOf = async (repo: string, number: number, place: number) => {
    const { id } = (await reviewsOf('bob', repo, number))[place]
    return call('bob', 'GET', `${repo}/pulls/${number}/reviews/${id}/comments`)
  }
  const [line] = await linesOf('/repos/bob/copy', numbers.open, 0)
  const [told] = await linesOf(AT, numbers.open, 0)
  assert.deepEqual([line.body, line.path, line.position, line.outdated], ['this one', 'open.txt', 2, false])
  assert.equal(line.diff_hunk, told.diff_hunk)
  assert.equal((await linesOf('/repos/bob/copy', numbers.merged, 1)).length, 60)
  const timeline = await call('bob', 'GET', `/repos/bob/copy/issues/${numbers.merged}/timeline`)
  assert.deepEqual(
    timeline.map((it: { type: string; body: string }) => [it.type, it.body]),
    [
      ['review', 'no'],
      ['review', ''],
    ],
  )
})

test('the changes of an imported pull request can be read, and an open one follows its branch', async () => {
  for (const number of [numbers.merged, numbers.closed]) {
    const files = await call('bob', 'GET', `/repos/bob/copy/pulls/${number}/files`)
    assert.equal(files.length, 1)
  }
  const { head } = await call('bob', 'GET', `/repos/bob/copy/pulls/${numbers.forked}`)
  assert.deepEqual([head.repo, head.ref], [null, `refs/pull/${numbers.forked}/head`])
  const { commit } = await call('bob', 'POST', '/repos/bob/copy/contents/more.txt', {
    content: '',
    branch: 'open',
  })
  const moved = await call('bob', 'GET', `/repos/bob/copy/pulls/${numbers.open}`)
  assert.equal(moved.head.sha, commit.sha)
  await using git = await GitClient.open(forge, 'bob', 'bob/copy')
  assert.equal(await git.remoteRef(`refs/pull/${numbers.open}/head`), commit.sha)
  const { head: kept } = await call('ann', 'GET', `${AT}/pulls/${numbers.closed}`)
  assert.equal(await git.remoteRef(`refs/pull/${numbers.closed}/v/1`), kept.sha)
})

test('without issues only pull requests are imported; without pull requests their numbers stay unused', async () => {
  await migrate('pulls')
  const issues = await call('bob', 'GET', '/repos/bob/pulls/issues?state=all&type=issues')
  assert.deepEqual(issues, [])
  assert.equal((await call('bob', 'GET', '/repos/bob/pulls/pulls?state=all')).length, 4)
  await migrate('issues', { issues: true, pull_requests: false })
  assert.deepEqual(await call('bob', 'GET', '/repos/bob/issues/pulls?state=all'), [])
  await using git = await GitClient.open(forge, 'bob', 'bob/issues')
  assert.equal(await git.remoteRef(`refs/pull/${numbers.open}/head`), '')
})

const eve = { id: 77, login: 'eve' }
const told = (number: number, more: object = {}) => ({
  number,
  title: `Told ${number}`,
  state: 'open',
  user: eve,
  base: { ref: 'main', sha: 'f'.repeat(40), repo: { full_name: 'ann/site' } },
  head: { ref: 'open', sha: 'f'.repeat(40), repo: { full_name: 'ann/site' } },
  ...more,
})
const both = (pulls: readonly { number: number }[]) => ({
  pulls,
  issues: pulls.map((it) => ({ ...it, pull_request: {} })),
})

test('a pull request without its head is skipped, and a merge base that does not exist here is ignored', async () => {
  source.lists = both([
    told(numbers.open),
    told(numbers.closed, { state: 'closed', merge_base: 'e'.repeat(40) }),
    told(99),
  ])
  await migrate('odd', { clone_addr: `${source.url}/ann/site.git` })
  const pulls = await call('bob', 'GET', '/repos/bob/odd/pulls?state=all')
  const numbersOf = pulls.map((it: { number: number }) => it.number).sort()
  assert.deepEqual(numbersOf, [numbers.open, numbers.closed].sort())
  const closed = await call('bob', 'GET', `/repos/bob/odd/pulls/${numbers.closed}`)
  assert.deepEqual([closed.merge_base, closed.state], ['', 'closed'])
  assert.equal((await call('bob', 'POST', '/repos/bob/odd/issues', { title: 'next' })).number, 100)
})

test('a worker that takes over resumes with the next page of pull requests', async () => {
  source.lists = both([numbers.open, ...Array.from({ length: 70 }, (_, i) => i + 100)].map((it) => told(it)))
  source.asked.length = 0
  source.hangs.add('pulls 2')
  const order = orderOf('again', { clone_addr: `${source.url}/ann/site.git` })
  const asking = forge.call('bob', 'POST', '/repos/migrate', order)
  const find = () =>
    forge.db.selectFrom('import').select('id').where('name_key', '=', 'again').executeTakeFirst()
  while ((await find()) === undefined) await sleep(20)
  const payload = { import_id: (await find())?.id }
  const dead = runImport(forge.ctx, payload)
  while (!source.asked.includes('pulls 2')) await sleep(20)
  source.hangs.clear()
  source.asked.length = 0
  await runImport(forge.ctx, payload)
  assert.equal((await asking).status, 201)
  assert.deepEqual(source.asked, ['pulls 2', 'pulls 3'])
  assert.equal((await call('bob', 'GET', '/repos/bob/again/pulls')).length, 1)
  await dead
})
