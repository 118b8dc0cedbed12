/** Runs triggered by pull requests: at their heads, at their bases, and from forks only after approval. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { enqueue, listQueue } from '#testing/slices/merge-queue'
import { commit, listJobs, listRuns, makeRepository, report } from '#testing/slices/triggers'
import { advanceRun } from '../../runs/engine/advance.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const name of ['ann', 'bob']) await forge.person(name)
})
after(() => forge[Symbol.asyncDispose]())

const on = (words: string) => `on: ${words}\njobs:\n  j: { runs-on: linux, steps: [{ run: 'true' }] }\n`
const told = async (root: string) =>
  (await listRuns(forge, root)).map(({ event, file, ref }) => `${event} ${file} ${ref}`)

test('a pull request runs at its head when it is opened and when its head moves', async () => {
  const root = await makeRepository(forge, 'ann', 'anvil', {
    '.gitea/workflows/check.yml': on('pull_request'),
    '.gitea/workflows/trusted.yml': on('pull_request_target'),
    '.gitea/workflows/done.yml': on('{ pull_request: { types: [closed] } }'),
  })
  const first = await commit(forge, 'ann', root, { 'a.md': 'a' }, { new_branch: 'topic' })
  const { body } = await forge.call('ann', 'POST', `${root}/pulls`, {
    title: 'one',
    head: 'topic',
    base: 'main',
  })
  await forge.runJobs()
  const opened = [
    'pull_request check.yml refs/pull/1/head',
    'pull_request_target trusted.yml refs/heads/main',
  ]
  assert.deepEqual(await told(root), opened)
  const row = await forge.db
    .selectFrom('action_run')
    .innerJoin('issue', 'issue.id', 'action_run.issue_id')
    .select(['head_sha', 'head_ref', 'base_ref', 'issue.number', 'is_from_fork'])
    .where('event', '=', 'pull_request')
    .executeTakeFirstOrThrow()
  assert.deepEqual(row, {
    head_sha: first,
    head_ref: 'topic',
    base_ref: 'main',
    number: body.number,
    is_from_fork: false,
  })
  await commit(forge, 'ann', root, { 'b.md': 'b' }, { branch: 'topic' })
  assert.deepEqual(await told(root), [...opened, ...opened])
  await forge.call('ann', 'PATCH', `${root}/pulls/1`, { state: 'closed' })
  await forge.runJobs()
  assert.equal((await told(root)).at(-1), 'pull_request done.yml refs/pull/1/head')
})

test("a run from a fork of a user without write access waits for approval; the user's next run does not", async () => {
  const root = await makeRepository(forge, 'ann', 'guarded', {
    '.gitea/workflows/check.yml': on('pull_request'),
  })
  assert.equal((await forge.call('bob', 'POST', `${root}/forks`, {})).status, 202)
  const open = async (branch: string) => {
    await commit(forge, 'bob', '/repos/bob/guarded', { [`${branch}.md`]: 'a' }, { new_branch: branch })
    const pull = { title: branch, head: `bob:${branch}`, base: 'main' }
    assert.equal((await forge.call('bob', 'POST', `${root}/pulls`, pull)).status, 201)
    await forge.runJobs()
    return (await listRuns(forge, root)).at(-1)
  }
  const run = await open('one')
  assert.equal(run?.status, 'blocked')
  assert.deepEqual(await listJobs(forge, run.id), ['j: blocked'])
  await advanceRun(forge.ctx, run.id)
  assert.deepEqual(await listJobs(forge, run.id), ['j: blocked'], 'nobody said yes')
  const ann = await forge.db
    .selectFrom('account')
    .select('id')
    .where('login', '=', 'ann')
    .executeTakeFirstOrThrow()
  await forge.db.updateTable('action_run').set({ approver_id: ann.id }).where('id', '=', run.id).execute()
  await advanceRun(forge.ctx, run.id)
  assert.deepEqual(await listJobs(forge, run.id), ['j: waiting'])
  const second = await open('two')
  assert.equal(second?.status, 'waiting')
  const job = await forge.db
    .selectFrom('action_job')
    .select('permissions')
    .where('run_id', '=', second.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(new Set(Object.values(job.permissions)), new Set(['read']))
})

test('a workflow on merge_group decides whether a queued pull request is merged', async () => {
  const root = await makeRepository(forge, 'ann', 'queued', {
    '.gitea/workflows/queue.yml': `name: Queue\n${on('merge_group')}`,
  })
  const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['Queue / *'] }
  assert.equal((await forge.call('ann', 'POST', `${root}/branch_protections`, rule)).status, 201)
  const end = async (branch: string, result: 'success' | 'failure') => {
    await commit(forge, 'ann', root, { [`${branch}.md`]: 'a' }, { new_branch: branch })
    const { body } = await forge.call('ann', 'POST', `${root}/pulls`, {
      title: branch,
      head: branch,
      base: 'main',
    })
    await forge.runJobs()
    assert.equal((await enqueue(forge, 'ann', root, body.number)).status, 201)
    await forge.runJobs()
    const run = (await listRuns(forge, root)).at(-1)
    assert.equal(run?.event, 'merge_group')
    await report(forge, run.id, 'j', result)
    const { merged } = (await forge.call('ann', 'GET', `${root}/pulls/${body.number}`)).body
    return [merged, (await listQueue(forge, root)).length]
  }
  assert.deepEqual(await end('bad', 'failure'), [false, 0])
  assert.deepEqual(await end('good', 'success'), [true, 0])
})
