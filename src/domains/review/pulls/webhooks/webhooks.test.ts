/** Webhook deliveries of pull requests, from REST requests to a real receiver: each event once, with its own type. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { actAs } from '#domains/people/users'
import { holdPull, markMerged } from '#domains/review/pulls'
import { transact } from '#platform/context'
import { asSignedIn } from '#platform/rest'
import { type Forge, startForge } from '#testing'
import { Receiver } from '#testing/slices/webhooks'

const AT = '/repos/ann/anvil'
let forge: Forge
let receiver: Receiver
let hook: number

before(async () => {
  receiver = await Receiver.open()
  forge = await startForge({ config: { 'outbound.allow_private': true } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
  await call('ann', 'PUT', '/collaborators/bob', { permission: 'write' })
  await forge.runJobs()
  hook = await hookFor({ events: ['issues', 'issue_comment', 'pull_request'] })
})
after(async () => {
  await forge[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(() => {
  receiver.received.length = 0
})

async function hookFor(facts: object): Promise<number> {
  const config = { url: receiver.url, content_type: 'json' }
  return (await call('ann', 'POST', '/hooks', { type: 'gitea', active: true, config, ...facts })).id
}

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, AT + path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Pushes one more commit to a branch, which is created if missing. */
async function push(branch: string, file: string, isNew = true): Promise<string> {
  const target = isNew ? { branch: 'main', new_branch: branch } : { branch }
  const { commit } = await call('bob', 'POST', `/contents/${file}`, {
    content: Buffer.from(file).toString('base64'),
    ...target,
  })
  return commit.sha
}

async function open(branch: string, facts: object = {}) {
  await push(branch, `${branch}.txt`)
  return call('bob', 'POST', '/pulls', { head: branch, base: 'main', title: branch, ...facts })
}

async function told() {
  await forge.runJobs()
  const news = receiver.received.map(({ headers, body }) => ({
    type: String(headers['x-gitea-event-type']),
    group: String(headers['x-gitea-event']),
    body: JSON.parse(body),
  }))
  receiver.received.length = 0
  return news
}
type News = Awaited<ReturnType<typeof told>>
const words = (news: News) => news.map(({ group, type, body }) => `${group} ${type} ${body.action}`).sort()

const NO_LABELS = { added_labels: null, removed_labels: null }

test('a new pull request is delivered once, as shown to an anonymous user', async () => {
  const { number } = await open('one')
  const [opened, ...rest] = await told()
  assert.deepEqual(words(rest), [])
  const { repository, sender, pull_request, ...body } = opened?.body ?? {}
  assert.deepEqual(Object.keys(opened?.body), [
    'action',
    'number',
    'pull_request',
    'requested_reviewer',
    'repository',
    'sender',
    'commit_id',
    'review',
  ])
  assert.deepEqual(body, { action: 'opened', number, requested_reviewer: null, commit_id: '', review: null })
  const { body: seen } = await forge.call(null, 'GET', `${AT}/pulls/${number}`)
  const bare = ({ base, head, ...pull }: typeof seen) => ({
    ...pull,
    tips: [base.ref, base.sha, head.ref, head.sha],
  })
  assert.deepEqual(bare(pull_request), bare(seen))
  // The permissions of bob, who may write.
  for (const { permissions } of [repository, pull_request.base.repo, pull_request.head.repo])
    assert.deepEqual(permissions, { admin: false, push: true, pull: true })
  assert.equal(sender.login, 'bob')
})

test('every change of a pull request has its own event type and action, and none is that of an issue', async () => {
  const label = await call('ann', 'POST', '/labels', { name: 'bug', color: '#ff0000' })
  const milestone = await call('ann', 'POST', '/milestones', { title: 'one' })
  const { number } = await open('two', { labels: [label.id], milestone: milestone.id, assignees: ['ann'] })
  assert.deepEqual(words(await told()), [
    'pull_request pull_request opened',
    'pull_request pull_request_assign assigned',
    'pull_request pull_request_label label_updated',
    'pull_request pull_request_milestone milestoned',
  ])
  const at = `/issues/${number}`
  const steps: [
    method: Parameters<Forge['call']>[1],
    path: string,
    body: object | undefined,
    word: string,
  ][] = [
    ['PATCH', `/pulls/${number}`, { state: 'closed' }, 'pull_request closed'],
    ['PATCH', at, { state: 'open' }, 'pull_request reopened'],
    ['PATCH', `/pulls/${number}`, { assignees: [] }, 'pull_request_assign unassigned'],
    ['PATCH', at, { milestone: 0 }, 'pull_request_milestone demilestoned'],
    ['DELETE', `${at}/labels/${label.id}`, undefined, 'pull_request_label label_updated'],
    ['POST', `${at}/labels`, { labels: [label.id] }, 'pull_request_label label_updated'],
    ['DELETE', `${at}/labels`, undefined, 'pull_request_label label_cleared'],
  ]
  for (const [method, path, body, word] of steps) {
    await call('ann', method, path, body)
    const news = await told()
    assert.deepEqual(words(news), [`pull_request ${word}`])
    assert.equal(news[0]?.body.pull_request.number, number)
    assert.equal(news[0]?.body.changes, undefined)
  }
  await call('ann', 'PATCH', `/pulls/${number}`, { due_date: '2030-01-01T00:00:00Z' })
  assert.deepEqual(await told(), [])
})

test('edits of texts and base are delivered with the previous values', async () => {
  const { number } = await open('three', { body: 'old words' })
  await call('ann', 'POST', '/branches', { new_branch_name: 'stable' })
  await told()
  await call('bob', 'PATCH', `/pulls/${number}`, { title: 'New', body: 'new words', base: 'stable' })
  const news = await told()
  assert.deepEqual(words(news), Array(3).fill('pull_request pull_request edited'))
  const changes = news.map(({ body }) => JSON.stringify(body.changes)).sort()
  assert.deepEqual(
    changes,
    [
      { title: { from: 'three' }, ...NO_LABELS },
      { body: { from: 'old words' }, ...NO_LABELS },
      { ref: { from: 'main' }, ...NO_LABELS },
    ]
      .map((it) => JSON.stringify(it))
      .sort(),
  )
})

test('a push to the head is delivered with the previous head', async () => {
  const { number, head } = await open('four')
  await told()
  const after = await push('four', 'more.txt', false)
  const [pushed, ...rest] = await told()
  assert.deepEqual(words(rest), [])
  assert.deepEqual([pushed?.group, pushed?.type], ['pull_request', 'pull_request_sync'])
  const { action, before, number: told_number, pull_request } = pushed?.body ?? {}
  assert.deepEqual([action, before, told_number], ['synchronized', head.sha, number])
  assert.deepEqual([pushed?.body.after, pull_request.head.sha], [after, after])
})

test('a merge is delivered once, as closed', async () => {
  const { number, head } = await open('five')
  await told()
  const { id } = await call('bob', 'GET', `/issues/${number}`)
  const { id: bob } = (await forge.call('bob', 'GET', '/user')).body
  await transact(forge.ctx, async (ctx) => {
    const actor = asSignedIn({ ctx: (await actAs(ctx, bob)) ?? ctx })
    const landing = { headOid: head.sha, baseBranch: 'main', mergeCommit: head.sha, isAuto: false }
    await markMerged(ctx, await holdPull(ctx, id), actor, landing)
  })
  const [merged, ...rest] = await told()
  assert.deepEqual(words(rest), [])
  const { action, pull_request } = merged?.body ?? {}
  assert.deepEqual([action, pull_request.merged, pull_request.merge_commit_sha], ['closed', true, head.sha])
})

test('creating, editing and deleting a comment is delivered with the pull request and its issue', async () => {
  const { number } = await open('six')
  await told()
  const { id } = await call('bob', 'POST', `/issues/${number}/comments`, { body: 'first' })
  const [created, ...rest] = await told()
  assert.deepEqual(words(rest), [])
  assert.deepEqual([created?.group, created?.type], ['issue_comment', 'pull_request_comment'])
  assert.deepEqual(Object.keys(created?.body), [
    'action',
    'issue',
    'pull_request',
    'comment',
    'repository',
    'sender',
    'is_pull',
  ])
  const { issue, pull_request, comment, is_pull } = created?.body ?? {}
  assert.deepEqual([issue.number, pull_request.number, is_pull], [number, number, true])
  assert.deepEqual([comment.id, comment.body, pull_request.comments], [id, 'first', 1])
  await call('bob', 'PATCH', `/issues/comments/${id}`, { body: 'second' })
  const [edited] = await told()
  assert.deepEqual(edited?.body.changes, { body: { from: 'first' }, ...NO_LABELS })
  await call('bob', 'DELETE', `/issues/comments/${id}`)
  const [deleted] = await told()
  assert.deepEqual([deleted?.body.action, deleted?.body.comment.body], ['deleted', 'second'])
})

test('a deleted pull request is delivered as it was', async () => {
  const { number, head } = await open('seven')
  await told()
  await call('ann', 'DELETE', `/issues/${number}`)
  const [deleted, ...rest] = await told()
  assert.deepEqual(words(rest), [])
  const { action, pull_request, sender } = deleted?.body ?? {}
  assert.deepEqual([action, pull_request.number, pull_request.head.sha], ['deleted', number, head.sha])
  assert.equal(sender.login, 'ann')
})

test('a pull request from a private fork is delivered without the fork', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'vault', private: true, auto_init: true })
  await forge.call('ann', 'PUT', '/repos/ann/vault/collaborators/bob', { permission: 'write' })
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/vault/forks', { name: 'copy' })).status, 202)
  const file = { content: '', branch: 'main', new_branch: 'eight' }
  assert.equal((await forge.call('bob', 'POST', '/repos/bob/copy/contents/8.txt', file)).status, 201)
  const config = { url: receiver.url, content_type: 'json' }
  await forge.call('ann', 'POST', '/repos/ann/vault/hooks', {
    type: 'gitea',
    active: true,
    config,
    events: ['pull_request'],
  })
  const wanted = { head: 'bob:eight', base: 'main', title: 'eight' }
  const { body } = await forge.call('bob', 'POST', '/repos/ann/vault/pulls', wanted)
  assert.equal(body.head.repo.full_name, 'bob/copy')
  const [opened] = await told()
  const { head, base } = opened?.body.pull_request ?? {}
  assert.deepEqual([head.repo, head.sha, base.repo.full_name], [null, body.head.sha, 'ann/vault'])
})

test('a hook receives only the event types it subscribed to', async () => {
  await call('ann', 'PATCH', `/hooks/${hook}`, { events: ['pull_request_only'] })
  const { number } = await open('nine', { assignees: ['ann'] })
  await call('ann', 'POST', `/issues/${number}/comments`, { body: 'unheard' })
  assert.deepEqual(words(await told()), ['pull_request pull_request opened'])
  await call('ann', 'PATCH', `/hooks/${hook}`, { events: ['issues', 'issue_comment'] })
  await open('ten')
  assert.deepEqual(await told(), [])
})

test('a chat message has one line with title and text of the pull request', async () => {
  await call('ann', 'PATCH', `/hooks/${hook}`, { active: false })
  await hookFor({ type: 'discord', events: ['pull_request'] })
  const { number, html_url } = await open('eleven', { body: 'strike' })
  const [opened] = (await told()).map(({ body }) => body.embeds[0])
  assert.equal(opened.title, `[ann/anvil] Pull request #${number} opened: eleven`)
  assert.deepEqual([opened.url, opened.description], [html_url, `[#${number}](${html_url}) strike`])
  await call('bob', 'POST', `/issues/${number}/comments`, { body: 'hot' })
  const [said] = (await told()).map(({ body }) => body.embeds[0])
  assert.equal(said.title, `[ann/anvil] Comment created on pull request #${number}: eleven`)
})
