/** Scheduled merges: a pull request merges once its checks succeed, with the rights its scheduler has at that moment. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { makeRepository, merge, propose, show, write } from '#testing/slices/merges'

let forge: Forge
let root: string
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  root = await makeRepository(forge, 'one', ['wes'])
  await forge.call('eve', 'POST', `${root}/forks`, {})
  const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['ci/*'] }
  await forge.call('ann', 'POST', `${root}/branch_protections`, rule)
})
after(() => forge[Symbol.asyncDispose]())

const LATER = { merge_when_checks_succeed: true }
const schedule = async (number: number, more: object = {}) => {
  assert.equal((await merge(forge, 'wes', root, number, { ...LATER, ...more })).status, 201)
  await forge.runJobs()
  assert.equal((await show(forge, root, number)).merged, false)
}
const say = async (number: number, state: string, context = 'ci/build') => {
  const { head } = await show(forge, root, number)
  await forge.call('ann', 'POST', `${root}/statuses/${head.sha}`, { context, state })
  await forge.runJobs()
}
const kinds = async (number: number): Promise<string[]> =>
  (await forge.call(null, 'GET', `${root}/issues/${number}/timeline`)).body.map(
    (it: { type: string }) => it.type,
  )
const isWaiting = async (number: number) =>
  (await forge.call('ann', 'DELETE', `${root}/pulls/${number}/merge`)).status === 204

test('a scheduled merge runs when the last required check succeeds, as its scheduler and as ordered', async () => {
  const number = await propose(forge, root, 'first')
  const texts = { Do: 'squash', MergeTitleField: 'later', delete_branch_after_merge: true }
  await schedule(number, texts)
  await say(number, 'pending')
  await say(number, 'failure')
  await say(number, 'success', 'other')
  assert.equal((await show(forge, root, number)).merged, false)
  await say(number, 'success')
  const shown = await show(forge, root, number)
  assert.deepEqual([shown.merged, shown.merged_by.login], [true, 'wes'])
  assert.deepEqual(await kinds(number), ['pull_push', 'pull_scheduled_merge', 'merge_pull', 'delete_branch'])
  const { body } = await forge.call(null, 'GET', `${root}/git/commits/${shown.merge_commit_sha}`)
  assert.equal(body.commit.message, 'later\n')
  const row = await forge.db.selectFrom('pull_merge').select('is_auto').executeTakeFirstOrThrow()
  assert.equal(row.is_auto, true)
  assert.equal(await isWaiting(number), false, 'it waits no more')
})

test('a scheduled merge that is ready already runs with the next job', async () => {
  const number = await propose(forge, root, 'ready')
  await say(number, 'success')
  assert.equal((await merge(forge, 'wes', root, number, LATER)).status, 201)
  await forge.runJobs()
  assert.equal((await show(forge, root, number)).merged, true)
})

test('a scheduled merge does not run while its scheduler may not write or not sign in', async () => {
  const number = await propose(forge, root, 'lost')
  await schedule(number)
  await forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'read' })
  await say(number, 'success')
  assert.equal((await show(forge, root, number)).merged, false)
  await forge.call('ann', 'PUT', `${root}/collaborators/wes`, { permission: 'write' })
  await forge.db.updateTable('account').set({ prohibits_login: true }).where('login', '=', 'wes').execute()
  await say(number, 'success')
  assert.equal((await show(forge, root, number)).merged, false)
  await forge.db.updateTable('account').set({ prohibits_login: false }).where('login', '=', 'wes').execute()
  await say(number, 'success')
  assert.equal((await show(forge, root, number)).merged, true)
})

test('only users who may merge can schedule a merge, once; any writer can cancel it', async () => {
  const number = await propose(forge, root, 'taken')
  assert.equal((await merge(forge, 'eve', root, number, LATER)).status, 405)
  await schedule(number)
  assert.equal((await merge(forge, 'ann', root, number, LATER)).status, 409)
  const takeBack = async (as: string) =>
    (await forge.call(as, 'DELETE', `${root}/pulls/${number}/merge`)).status
  assert.deepEqual([await takeBack('eve'), await takeBack('ann'), await takeBack('ann')], [403, 204, 404])
  await say(number, 'success')
  assert.equal((await show(forge, root, number)).merged, false)
  assert.deepEqual(await kinds(number), ['pull_push', 'pull_scheduled_merge', 'pull_cancel_scheduled_merge'])
})

test('a push to the head branch by any user cancels the scheduled merge', async () => {
  await write(forge, '/repos/eve/one', 'topic', { as: 'eve', base: 'main', path: 'eve.md' })
  const input = { title: 'from afar', head: 'eve:topic', base: 'main' }
  const { number } = (await forge.call('eve', 'POST', `${root}/pulls`, input)).body
  await schedule(number)
  await write(forge, '/repos/eve/one', 'topic', { as: 'eve', path: 'slipped-in.md' })
  assert.equal(await isWaiting(number), false, 'before any job has run')
  await say(number, 'success')
  assert.equal((await show(forge, root, number)).merged, false)

  const own = await propose(forge, root, 'own')
  await schedule(own)
  await write(forge, root, 'own', { as: 'ann', path: 'more.md' })
  assert.ok((await kinds(own)).includes('pull_cancel_scheduled_merge'))
  await say(own, 'success')
  assert.equal((await show(forge, root, own)).merged, false)
  assert.equal((await merge(forge, 'wes', root, own, LATER)).status, 201)
  await forge.runJobs()
  assert.equal((await show(forge, root, own)).merged, true, 'the new head can be scheduled')
})

test('commits pushed while a pull request was closed cannot be merged or queued before its head shows them', async () => {
  const good = await write(forge, '/repos/eve/one', 'bait', { as: 'eve', base: 'main', path: 'good.md' })
  const input = { title: 'bait', head: 'eve:bait', base: 'main' }
  const { number } = (await forge.call('eve', 'POST', `${root}/pulls`, input)).body
  const at = `${root}/pulls/${number}`
  await forge.call('ann', 'PATCH', at, { state: 'closed' })
  const evil = await write(forge, '/repos/eve/one', 'bait', { as: 'eve', path: 'evil.md' })
  await forge.call('ann', 'PATCH', at, { state: 'open' })
  assert.equal((await show(forge, root, number)).head.sha, good, 'no job has run')
  for (const [path, body] of [
    ['merge', { ...LATER, head_commit_id: good }],
    ['merge', { force_merge: true, head_commit_id: good }],
    ['queue', { head_commit_id: good }],
  ] as const) {
    const { status } = await forge.call('ann', 'POST', `${at}/${path}`, { Do: 'merge', ...body })
    assert.equal(status, 409, `${path} ${JSON.stringify(body)}`)
  }
  await forge.runJobs()
  assert.equal((await show(forge, root, number)).head.sha, evil)
  const { body: versions } = await forge.call(null, 'GET', `${at}/versions`)
  assert.deepEqual(
    versions.map((it: { sha: string; pusher: { login: string } | null }) => [it.sha, it.pusher?.login]),
    [
      [good, 'eve'],
      [evil, undefined],
    ],
    'who reopened did not push',
  )
  assert.equal((await merge(forge, 'ann', root, number, { ...LATER, head_commit_id: good })).status, 409)
})

test('a scheduled merge whose head_oid is not the head is cancelled instead of run', async () => {
  const number = await propose(forge, root, 'unnamed')
  await schedule(number)
  // A node of an older release leaves `head_oid` empty.
  const { issue_id } = await forge.db
    .selectFrom('pull_auto_merge')
    .select('issue_id')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  await forge.db
    .updateTable('pull_auto_merge')
    .set({ head_oid: '' })
    .where('issue_id', '=', issue_id)
    .execute()
  await say(number, 'success')
  await forge.call('ann', 'POST', `${root}/pulls/${number}/reviews`, { event: 'COMMENT', body: 'seen' })
  await forge.runJobs()
  assert.equal((await show(forge, root, number)).merged, false)
  assert.equal(await isWaiting(number), false)
})

test('closing or retargeting a pull request cancels its scheduled merge', async () => {
  await forge.call('ann', 'POST', `${root}/branches`, { new_branch_name: 'other', old_branch_name: 'main' })
  for (const [name, change] of [
    ['closed', { state: 'closed' }],
    ['retargeted', { base: 'other' }],
  ] as const) {
    const number = await propose(forge, root, name)
    await schedule(number)
    await forge.call('ann', 'PATCH', `${root}/pulls/${number}`, change)
    assert.equal(await isWaiting(number), false)
    assert.ok((await kinds(number)).includes('pull_cancel_scheduled_merge'))
  }
})
