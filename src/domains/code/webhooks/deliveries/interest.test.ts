/** Consumers that skip an event because the repository has no hooks. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { readQueue } from '#platform/queue'
import { type Forge, startForge } from '#testing'
import { Receiver } from '#testing/slices/webhooks'

let forge: Forge
before(async () => {
  forge = await startForge({ config: { 'outbound.allow_private': true } })
  for (const login of ['ann', 'bob']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'quiet', auto_init: true })
  await forge.call('ann', 'PUT', '/repos/ann/quiet/collaborators/bob', { permission: 'write' })
  await forge.runJobs()
})
after(() => forge[Symbol.asyncDispose]())

const openIssue = async (more: object = {}) =>
  (await forge.call('ann', 'POST', '/repos/ann/quiet/issues', { title: 'one', ...more })).body
const jobs = async () =>
  (await readQueue(forge.db)).flatMap(({ kind, waiting }) => (waiting > 0 ? [`${kind} ${waiting}`] : []))

test('in a repository without hooks, opening an issue with a label and an assignee takes one job', async () => {
  const label = await forge.call('ann', 'POST', '/repos/ann/quiet/labels', { name: 'bug', color: '#ff0000' })
  await openIssue()
  await forge.runJobs()
  await openIssue({ labels: [label.body.id], assignees: ['bob'] })
  assert.deepEqual(await jobs(), ['deliver 1'])
  const { rows } = await sql<{ last: number }>`select max(id) as last from job`.execute(forge.db)
  await forge.runJobs()
  const { rows: later } = await sql<{ next: number }>`select nextval('job_id_seq') as next`.execute(forge.db)
  assert.equal((later[0]?.next ?? 0) - (rows[0]?.last ?? 0), 1, 'no further job was added')
  const { body } = await forge.call('bob', 'GET', '/notifications')
  assert.equal(body.length > 0, true, 'the assignee has a notification')
})

test('a hook created while an event is being committed receives it', async () => {
  await using receiver = await Receiver.open()
  await transact(forge.ctx, async (ctx) => {
    const { emit } = await import('#events')
    const issue = await openIssue()
    const { rows } = await sql<{ payload: never }>`select payload from event
      where subject = 'issue.created' and (payload ->> 'issue_id')::bigint = ${issue.id}`.execute(ctx.db)
    await emit(ctx, 'issue.created', rows[0]?.payload as never)
    // The transaction of the event began before the hook was created, and commits after it.
    const hook = {
      type: 'gitea',
      active: true,
      events: ['issues'],
      config: { url: receiver.url, content_type: 'json' },
    }
    assert.equal((await forge.call('ann', 'POST', '/repos/ann/quiet/hooks', hook)).status, 201)
  })
  await forge.runJobs()
  assert.ok(receiver.received.length > 0, 'the receiver was told nothing')
})
