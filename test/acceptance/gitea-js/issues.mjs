// Issues.
import assert from 'node:assert/strict'
import { bounded, eventually, guest, json, me, other, owner, repo, test } from './kit.mjs'

export let label
let milestone
await test('labels: create, list, edit', async () => {
  const { status, data } = await me.repos.issueCreateLabel(owner, repo, { name: 'defect', color: '#ee0701' })
  assert.equal(status, 201)
  label = data.id
  assert.equal(
    (await me.repos.issueEditLabel(owner, repo, label, { description: 'wrong' })).data.description,
    'wrong',
  )
  assert.deepEqual(
    (await me.repos.issueListLabels(owner, repo)).data.map((one) => `${one.name} ${one.color}`),
    ['defect ee0701'],
  )
})
await test('milestones: create, edit, list', async () => {
  const { status, data } = await me.repos.issueCreateMilestone(owner, repo, { title: 'first' })
  assert.equal(status, 201)
  milestone = data.id
  await me.repos.issueEditMilestone(owner, repo, milestone, { description: 'the first' })
  assert.deepEqual(
    (await me.repos.issueGetMilestonesList(owner, repo)).data.map((one) => one.description),
    ['the first'],
  )
})
await test('issues: issueCreateIssue', async () => {
  const { status, data } = await me.repos.issueCreateIssue(owner, repo, {
    title: 'it breaks',
    body: `look, @${guest}`,
    labels: [label],
    milestone,
    assignees: [guest],
  })
  assert.equal(status, 201)
  assert.equal(data.number, 1)
  assert.equal(data.labels[0].name, 'defect')
  await me.repos.issueCreateIssue(owner, repo, { title: 'it is slow' })
})
await test('issues: issueListIssues with filters', async () => {
  assert.equal(
    (await me.repos.issueListIssues(owner, repo, { state: 'open', type: 'issues' })).data.length,
    2,
  )
  assert.deepEqual(
    (await me.repos.issueListIssues(owner, repo, { labels: 'defect' })).data.map((one) => one.number),
    [1],
  )
  assert.deepEqual(
    (await me.repos.issueListIssues(owner, repo, { assigned_by: guest })).data.map((one) => one.number),
    [1],
  )
})
await test('issues: issueEditIssue and issueGetIssue', async () => {
  await me.repos.issueEditIssue(owner, repo, 2, { state: 'closed', title: 'it was slow' })
  const { data } = await me.repos.issueGetIssue(owner, repo, 2)
  assert.deepEqual([data.state, data.title], ['closed', 'it was slow'])
  assert.ok(data.closed_at)
})
await test('issues: issueSearchIssues', async () => {
  const { data } = await me.repos.issueSearchIssues({ owner, state: 'open' })
  assert.deepEqual(
    data.map((one) => one.title),
    ['it breaks'],
  )
})
await test('issues: labels of an issue', async () => {
  assert.equal((await me.repos.issueAddLabel(owner, repo, 2, { labels: [label] })).data.length, 1)
  assert.equal((await me.repos.issueGetLabels(owner, repo, 2)).data[0].id, label)
  assert.equal((await me.repos.issueClearLabels(owner, repo, 2)).status, 204)
})
let comment
await test('comments: create, edit, list, reactions', async () => {
  const { status, data } = await other.repos.issueCreateComment(owner, repo, 1, { body: 'I see it too' })
  assert.equal(status, 201)
  comment = data.id
  assert.equal(
    (await other.repos.issueEditComment(owner, repo, comment, { body: 'me too' })).data.body,
    'me too',
  )
  assert.deepEqual(
    (await me.repos.issueGetComments(owner, repo, 1)).data.map((one) => one.body),
    ['me too'],
  )
  assert.equal(
    (await me.repos.issuePostCommentReaction(owner, repo, comment, { content: 'heart' })).status,
    201,
  )
  assert.equal((await me.repos.issueGetCommentReactions(owner, repo, comment)).data[0].content, 'heart')
})
await test('issues: reactions', async () => {
  assert.equal((await me.repos.issuePostIssueReaction(owner, repo, 1, { content: '+1' })).status, 201)
  assert.deepEqual(
    (await me.repos.issueGetIssueReactions(owner, repo, 1)).data.map((one) => one.content),
    ['+1'],
  )
})
await test('issues: timeline', async () => {
  const { data } = await me.repos.issueGetCommentsAndTimeline(owner, repo, 1)
  assert.ok(data.some((one) => one.type === 'comment'))
})
await test('issues: tracked time', async () => {
  assert.equal((await me.repos.issueAddTime(owner, repo, 1, { time: 90 })).data.time, 90)
  assert.equal((await me.repos.issueTrackedTimes(owner, repo, 1)).data[0].time, 90)
  assert.equal((await me.user.userCurrentTrackedTimes()).data.length, 1)
})
await test('issues: stopwatch', async () => {
  assert.equal((await me.repos.issueStartStopWatch(owner, repo, 1)).status, 201)
  assert.equal((await me.user.userGetStopWatches()).data[0].issue_index, 1)
  assert.equal((await me.repos.issueDeleteStopWatch(owner, repo, 1)).status, 204)
})
await test('issues: subscriptions', async () => {
  assert.equal((await me.repos.issueAddSubscription(owner, repo, 1, owner)).status, 200)
  assert.equal((await me.repos.issueCheckSubscription(owner, repo, 1)).data.subscribed, true)
})
await test('issues: dependencies', async () => {
  assert.equal(
    (await me.repos.issueCreateIssueDependencies(owner, repo, '1', { owner, repo, index: 2 }, json)).status,
    201,
  )
  assert.deepEqual(
    (await me.repos.issueListIssueDependencies(owner, repo, '1')).data.map((one) => one.number),
    [2],
  )
  assert.deepEqual(
    (await me.repos.issueListBlocks(owner, repo, '2')).data.map((one) => one.number),
    [1],
  )
  await me.repos.issueRemoveIssueDependencies(owner, repo, '1', { owner, repo, index: 2 }, json)
})
await test('issues: pin and unpin', async () => {
  assert.equal((await me.repos.pinIssue(owner, repo, 1)).status, 204)
  assert.deepEqual(
    (await me.repos.repoListPinnedIssues(owner, repo)).data.map((one) => one.number),
    [1],
  )
  assert.equal((await me.repos.unpinIssue(owner, repo, 1)).status, 204)
})
await test('issues: deadline', async () => {
  const { status, data } = await me.repos.issueEditIssueDeadline(owner, repo, '1', {
    due_date: '2035-01-31T00:00:00Z',
  })
  assert.equal(status, 201)
  assert.match(data.due_date, /^2035-01-31/)
})
await test('issues: attachments', async () => {
  const { status, data } = await me.repos.issueCreateIssueAttachment(
    owner,
    repo,
    1,
    { attachment: new File(['some text'], 'note.txt', { type: 'text/plain' }) },
    { name: 'note.txt' },
  )
  assert.equal(status, 201)
  assert.equal(data.size, 9)
  const got = await bounded(data.browser_download_url, {})
  assert.equal(await got.text(), 'some text')
})
await test('notifications: the mention arrives and is read', async () => {
  const list = await eventually(
    () => other.notifications.notifyGetList(),
    (data) => data.some((one) => one.subject.title === 'it breaks'),
  )
  assert.equal(list[0].repository.full_name, `${owner}/${repo}`)
  assert.ok((await other.notifications.notifyNewAvailable()).data.new >= 1)
  assert.ok([200, 205].includes((await other.notifications.notifyReadThread(String(list[0].id))).status))
})
