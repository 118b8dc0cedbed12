/** Webhook deliveries of issues, from REST requests to a real receiver. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
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
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  await forge.runJobs()
  hook = await hookFor({ events: ['issues', 'issue_comment'] })
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
  const { status, body } = await forge.call('ann', 'POST', `${AT}/hooks`, {
    type: 'gitea',
    active: true,
    config,
    ...facts,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

async function call(as: string, method: Parameters<Forge['call']>[1], path: string, body?: unknown) {
  const answer = await forge.call(as, method, AT + path, body)
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
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

test('an issue is delivered with its repository and sender, as shown to an anonymous user', async () => {
  const { number } = await call('bob', 'POST', '/issues', { title: 'Crack', body: 'In the horn.' })
  const [opened, ...rest] = await told()
  assert.deepEqual(rest, [])
  const { repository, sender, issue, ...body } = opened?.body ?? {}
  assert.deepEqual(Object.keys(opened?.body), [
    'action',
    'number',
    'issue',
    'repository',
    'sender',
    'commit_id',
  ])
  assert.deepEqual(body, { action: 'opened', number, commit_id: '' })
  assert.deepEqual([issue.number, issue.title, issue.user.login], [number, 'Crack', 'bob'])
  assert.deepEqual(issue, (await forge.call(null, 'GET', `${AT}/issues/${number}`)).body)
  assert.equal(repository.full_name, 'ann/anvil')
  // The permissions of bob, who wrote it.
  assert.deepEqual(repository.permissions, { admin: false, push: false, pull: true })
  assert.equal(sender.login, 'bob')
})

test('every change of an issue has its own type and action', async () => {
  const label = await call('ann', 'POST', '/labels', { name: 'bug', color: '#ff0000' })
  const milestone = await call('ann', 'POST', '/milestones', { title: 'one' })
  const { number } = await call('ann', 'POST', '/issues', {
    title: 'Rust',
    labels: [label.id],
    milestone: milestone.id,
    assignees: ['ann'],
  })
  assert.deepEqual(words(await told()), [
    'issues issue_assign assigned',
    'issues issue_label label_updated',
    'issues issue_milestone milestoned',
    'issues issues opened',
  ])
  const at = `/issues/${number}`
  const steps: [
    method: Parameters<Forge['call']>[1],
    path: string,
    body: object | undefined,
    word: string,
  ][] = [
    ['PATCH', at, { state: 'closed' }, 'issues issues closed'],
    ['PATCH', at, { state: 'open' }, 'issues issues reopened'],
    ['PATCH', at, { assignees: [] }, 'issues issue_assign unassigned'],
    ['PATCH', at, { milestone: 0 }, 'issues issue_milestone demilestoned'],
    ['DELETE', `${at}/labels/${label.id}`, undefined, 'issues issue_label label_updated'],
    ['POST', `${at}/labels`, { labels: [label.id] }, 'issues issue_label label_updated'],
    ['DELETE', `${at}/labels`, undefined, 'issues issue_label label_cleared'],
  ]
  for (const [method, path, body, word] of steps) {
    await call('ann', method, path, body)
    const news = await told()
    assert.deepEqual(words(news), [word])
    assert.equal(news[0]?.body.issue.number, number)
    assert.equal(news[0]?.body.changes, undefined)
  }
  for (const quiet of [{ due_date: '2030-01-01T00:00:00Z' }, { ref: 'main' }, { title: 'Rust' }])
    await call('ann', 'PATCH', at, quiet)
  assert.deepEqual(await told(), [])
})

test('edits of title and body are delivered separately, with the previous text', async () => {
  const { number } = await call('bob', 'POST', '/issues', { title: 'Old', body: 'old words' })
  await told()
  await call('bob', 'PATCH', `/issues/${number}`, { title: 'New', body: 'new words' })
  const changes = (await told()).map(({ body }) => body.changes)
  assert.equal(changes.length, 2)
  assert.deepEqual(
    changes.sort((a, b) => Object.keys(a).length - Object.keys(b).length || ('title' in a ? -1 : 1)),
    [
      { title: { from: 'Old' }, ...NO_LABELS },
      { body: { from: 'old words' }, ...NO_LABELS },
    ],
  )
})

test('a deleted issue is delivered as it was', async () => {
  const { number } = await call('bob', 'POST', '/issues', { title: 'Gone', body: 'soon' })
  const { body: before } = await forge.call(null, 'GET', `${AT}/issues/${number}`)
  await told()
  await call('ann', 'DELETE', `/issues/${number}`)
  const [deleted, ...rest] = await told()
  assert.deepEqual(rest, [])
  assert.deepEqual([deleted?.body.action, deleted?.body.number], ['deleted', number])
  assert.deepEqual(deleted?.body.issue, before)
  assert.equal(deleted?.body.sender.login, 'ann')
})

test('creating, editing and deleting a comment is delivered', async () => {
  const { number } = await call('ann', 'POST', '/issues', { title: 'Talk' })
  await told()
  const { id } = await call('bob', 'POST', `/issues/${number}/comments`, { body: 'first' })
  const [created] = await told()
  assert.deepEqual([created?.type, created?.group], ['issue_comment', 'issue_comment'])
  assert.deepEqual(Object.keys(created?.body), [
    'action',
    'issue',
    'comment',
    'repository',
    'sender',
    'is_pull',
  ])
  const { action, issue, comment, repository, sender, is_pull } = created?.body ?? {}
  assert.deepEqual([action, issue.number, issue.comments, is_pull], ['created', number, 1, false])
  assert.deepEqual([comment.id, comment.body, comment.user.login, sender.login], [id, 'first', 'bob', 'bob'])
  assert.deepEqual(repository.permissions, { admin: false, push: false, pull: true })

  await call('bob', 'PATCH', `/issues/comments/${id}`, { body: 'second' })
  const [edited] = await told()
  assert.deepEqual([edited?.body.action, edited?.body.comment.body], ['edited', 'second'])
  assert.deepEqual(edited?.body.changes, { body: { from: 'first' }, ...NO_LABELS })

  await call('bob', 'DELETE', `/issues/comments/${id}`)
  const [deleted] = await told()
  assert.deepEqual([deleted?.body.action, deleted?.body.issue.comments], ['deleted', 0])
  assert.deepEqual(deleted?.body.comment, edited?.body.comment)
})

test('a hook receives only the event types it subscribed to', async () => {
  await call('ann', 'PATCH', `/hooks/${hook}`, { events: ['issues_only'] })
  const { number } = await call('ann', 'POST', '/issues', { title: 'Alone', assignees: ['ann'] })
  await call('ann', 'POST', `/issues/${number}/comments`, { body: 'unheard' })
  assert.deepEqual(words(await told()), ['issues issues opened'])
  await call('ann', 'PATCH', `/hooks/${hook}`, { events: ['issues', 'issue_comment'] })
})

test('a chat message has one line with title and text of the issue', async () => {
  await call('ann', 'PATCH', `/hooks/${hook}`, { active: false })
  await hookFor({ type: 'discord', events: ['issues', 'issue_comment'] })
  const { number, html_url } = await call('bob', 'POST', '/issues', {
    title: 'Two\nlines',
    body: 'x'.repeat(5_000),
  })
  const [opened] = (await told()).map(({ body }) => body.embeds[0])
  assert.equal(opened.title, `[ann/anvil] Issue #${number} opened: Two lines`)
  assert.equal(opened.url, html_url)
  assert.equal(opened.description, `[#${number}](${html_url}) ${'x'.repeat(500)}…`)
  const comment = await call('bob', 'POST', `/issues/${number}/comments`, { body: 'hot' })
  const [said] = (await told()).map(({ body }) => body.embeds[0])
  assert.equal(said.title, `[ann/anvil] Comment created on issue #${number}: Two lines`)
  assert.deepEqual([said.url, said.description], [comment.html_url, `[#${number}](${comment.html_url}) hot`])
})
