/** Cancel, rerun, approve and delete: the state machine of runs, over REST. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Account } from '#domains/people/users'
import { transact } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { endJob, makeRun, newJob, SHA, takeJob } from '#testing/slices/runs'
import type { NewJob } from '../engine/create-run.ts'
import { lockRun } from '../record/change.ts'
import type { Status } from '../record/status.ts'

const RUNS = '/repos/ann/anvil/actions/runs'

let forge: Forge
let ann: Account
let anvil: number
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  ann = await forge.person('ann')
  for (const name of ['bob', 'wes', 'eve']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  anvil = (await forge.call('ann', 'GET', '/repos/ann/anvil')).body.id
  for (const [name, permission] of [
    ['bob', 'read'],
    ['wes', 'write'],
  ])
    await forge.call('ann', 'PUT', `/repos/ann/anvil/collaborators/${name}`, { permission })
})
after(() => forge[Symbol.asyncDispose]())

const CHAIN = () => [
  newJob('build'),
  newJob('test', { needs: ['build'], status: 'blocked' }),
  newJob('lint'),
  newJob('ship', { needs: ['test', 'lint'], status: 'blocked' }),
]

async function runOf(jobs: readonly NewJob[], facts = {}): Promise<{ id: number; jobs: number[] }> {
  const { id } = await makeRun(forge.ctx, anvil, ann.id, jobs, facts)
  const rows = await forge.db
    .selectFrom('action_job')
    .select('id')
    .where('run_id', '=', id)
    .orderBy('id')
    .execute()
  return { id, jobs: rows.map((row) => row.id) }
}

function act(as: string | null, id: number, word: string) {
  return forge.call(as, 'POST', `${RUNS}/${id}/${word}`)
}

async function shown(id: number): Promise<string[]> {
  const { body } = await forge.call('ann', 'GET', `${RUNS}/${id}/jobs`)
  return body.jobs.map((job: Record<string, string>) => `${job.name} ${job.conclusion ?? job.status}`)
}

const DONE = ['success', 'failure', 'cancelled', 'skipped'] as const

test('writers act on runs, readers and anonymous users do not', async () => {
  const { id } = await runOf([newJob('build')])
  for (const word of ['cancel', 'force-cancel', 'approve', 'rerun', 'rerun-failed-jobs', 'jobs/1/rerun'])
    for (const [as, status] of [
      [null, 401],
      ['eve', 403],
      ['bob', 403],
    ] as const)
      assert.equal((await act(as, id, word)).status, status, `${as} ${word}`)
  for (const [as, status] of [
    [null, 401],
    ['bob', 403],
    ['wes', 400],
  ] as const)
    assert.equal((await forge.call(as, 'DELETE', `${RUNS}/${id}`)).status, status)
  assert.equal((await act('wes', 987654, 'force-cancel')).status, 404)
  assert.equal((await forge.call('wes', 'POST', `${RUNS}/abc/cancel`)).status, 404)
  assert.equal((await act('root', id, 'force-cancel')).status, 200)
})

test('jobs that no runner has taken are cancelled at once, and finished jobs keep their result', async () => {
  const { id, jobs } = await runOf(CHAIN())
  await takeJob(forge.ctx, jobs[0] ?? 0)
  await endJob(forge.ctx, jobs[0] ?? 0, 'success')
  const { status, body } = await act('wes', id, 'cancel')
  assert.deepEqual([status, body.status, body.conclusion], [200, 'completed', 'cancelled'])
  assert.deepEqual(await shown(id), ['build success', 'test cancelled', 'lint cancelled', 'ship cancelled'])
  for (const word of ['cancel', 'force-cancel']) assert.equal((await act('wes', id, word)).status, 409)
})

test('a runner that supports cancelling is requested to, and its report is awaited', async () => {
  const { id, jobs } = await runOf([newJob('build'), newJob('lint')])
  const [build = 0] = jobs
  const taskId = await takeJob(forge.ctx, build, { canCancel: true })
  for (let times = 0; times < 2; times++) {
    const { status, body } = await act('wes', id, 'cancel')
    assert.deepEqual([status, body.status, body.conclusion], [200, 'in_progress', undefined])
    assert.deepEqual(await shown(id), ['build in_progress', 'lint cancelled'])
    // Once requested, the runner has until its task is declared lost.
    forge.advance(120_000)
  }
  const { body } = await forge.call('ann', 'GET', `${RUNS}?status=in_progress`)
  assert.ok(!body.workflow_runs.some((run: { id: number }) => run.id === id))
  const forced = await act('wes', id, 'force-cancel')
  assert.deepEqual([forced.body.status, forced.body.conclusion], ['completed', 'cancelled'])
  const task = await forge.db
    .selectFrom('action_task')
    .selectAll()
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  assert.equal(task.status, 'cancelled')
  // Later reports are ignored.
  await endJob(forge.ctx, build, 'success')
  assert.deepEqual(await shown(id), ['build cancelled', 'lint cancelled'])
})

test('a job is cancelled at once if its runner cannot cancel or has been silent', async () => {
  for (const [canCancel, silentMs] of [
    [false, 0],
    [true, 61_000],
  ] as const) {
    const { id, jobs } = await runOf([newJob('build')])
    await takeJob(forge.ctx, jobs[0] ?? 0, { canCancel })
    forge.advance(silentMs)
    assert.equal((await act('wes', id, 'cancel')).body.conclusion, 'cancelled')
    const { body } = await forge.call('ann', 'GET', `${RUNS}/${id}/jobs`)
    assert.equal(body.jobs[0].steps[0].conclusion, 'cancelled')
  }
})

test('only finished runs can be rerun or deleted', async () => {
  for (const status of ['waiting', 'blocked'] as const) {
    const { id } = await runOf([newJob('build', { status })])
    assert.equal((await act('wes', id, 'rerun')).status, 400)
    assert.equal((await act('wes', id, 'rerun-failed-jobs')).status, 400)
    assert.equal((await forge.call('wes', 'DELETE', `${RUNS}/${id}`)).status, 400)
  }
  for (const status of DONE) {
    const { id } = await runOf([newJob('build')])
    await end(id, status)
    const { status: answer, body } = await act('wes', id, 'rerun')
    assert.deepEqual([answer, body.status, body.run_attempt], [201, 'queued', 2])
    assert.equal(body.trigger_actor.login, 'wes')
    assert.equal(body.actor.login, 'ann')
    assert.equal(body.previous_attempt_url, `http://forge.test/api/v1${RUNS}/${id}/attempts/1`)
    assert.deepEqual([body.started_at, body.completed_at], [null, null])
    await end(id, 'success')
    assert.equal((await forge.call('wes', 'DELETE', `${RUNS}/${id}`)).status, 204)
    assert.equal((await forge.call('wes', 'DELETE', `${RUNS}/${id}`)).status, 404)
  }
})

/** Ends all open jobs of the newest attempt. */
async function end(id: number, status: (typeof DONE)[number]): Promise<void> {
  const run = await transact(forge.ctx, (ctx) => lockRun(ctx.db, id))
  const jobs = await forge.db
    .selectFrom('action_job')
    .select(['id', 'status'])
    .where('run_id', '=', id)
    .where('attempt', '=', run?.attempt ?? 0)
    .execute()
  const isOpen = (it: Status) => !(DONE as readonly string[]).includes(it)
  for (const job of jobs) if (isOpen(job.status)) await endJob(forge.ctx, job.id, status)
}

test('failed jobs are rerun with all jobs that need them, and the others keep their result', async () => {
  const { id, jobs } = await runOf(CHAIN())
  const [build = 0, tests = 0, lint = 0, ship = 0] = jobs
  const taskId = await takeJob(forge.ctx, build)
  await endJob(forge.ctx, build, 'success')
  await endJob(forge.ctx, lint, 'failure')
  await endJob(forge.ctx, tests, 'success')
  await endJob(forge.ctx, ship, 'skipped')
  assert.equal((await act('wes', id, 'rerun-failed-jobs')).status, 201)
  assert.deepEqual(await shown(id), ['build success', 'test success', 'lint queued', 'ship waiting'])
  const { body } = await forge.call('ann', 'GET', `${RUNS}/${id}/jobs`)
  assert.equal(body.jobs[0].runner_name, 'smith')
  assert.ok(
    body.jobs.every(
      (job: { id: number; run_attempt: number }) => !jobs.includes(job.id) && job.run_attempt === 2,
    ),
  )
  const copied = await forge.db
    .selectFrom('action_job')
    .select('task_id')
    .where('id', '=', body.jobs[0].id)
    .executeTakeFirst()
  assert.equal(copied?.task_id, taskId)
  await end(id, 'success')
  assert.equal((await act('wes', id, 'rerun-failed-jobs')).status, 400)
  // The first attempt is unchanged.
  const first = await forge.call('ann', 'GET', `${RUNS}/${id}/attempts/1`)
  assert.deepEqual([first.body.conclusion, first.body.run_attempt], ['failure', 1])
  const firstJobs = await forge.call('ann', 'GET', `${RUNS}/${id}/attempts/1/jobs`)
  assert.deepEqual(
    firstJobs.body.jobs.map((job: { id: number }) => job.id),
    jobs,
  )
})

test('a single job is rerun with all jobs that need it', async () => {
  const { id, jobs } = await runOf(CHAIN())
  await end(id, 'success')
  const { status, body } = await forge.call('wes', 'POST', `${RUNS}/${id}/jobs/${jobs[1]}/rerun`)
  assert.deepEqual([status, body.name, body.run_attempt, body.status], [201, 'test', 2, 'queued'])
  assert.deepEqual(await shown(id), ['build success', 'test queued', 'lint success', 'ship waiting'])
  for (const other of [987654, jobs[1]])
    assert.equal((await forge.call('wes', 'POST', `${RUNS}/${id}/jobs/${other}/rerun`)).status, 404)
})

test('a run cannot have a fifty-first attempt', async () => {
  const { id } = await runOf([newJob('build')])
  await forge.db.updateTable('action_run').set({ attempt: 50 }).where('id', '=', id).execute()
  await forge.db.updateTable('action_attempt').set({ attempt: 50 }).where('run_id', '=', id).execute()
  await forge.db.updateTable('action_job').set({ attempt: 50 }).where('run_id', '=', id).execute()
  await end(id, 'failure')
  assert.equal((await act('wes', id, 'rerun')).status, 400)
})

test('a run that needs approval waits for it, and approving twice is allowed', async () => {
  const jobs = [
    newJob('build', { status: 'blocked' }),
    newJob('test', { status: 'blocked', needs: ['build'] }),
  ]
  const { id } = await runOf(jobs, { needs_approval: true, event: 'pull_request', ref: 'refs/pull/1/head' })
  assert.equal((await act('bob', id, 'approve')).status, 403)
  for (let times = 0; times < 2; times++) {
    const { status, body } = await act('wes', id, 'approve')
    assert.deepEqual([status, body.status], [200, 'queued'])
  }
  assert.deepEqual(await shown(id), ['build queued', 'test waiting'])
  const other = await runOf([newJob('build')])
  assert.equal((await act('wes', other.id, 'approve')).status, 409)
})

test('of concurrent cancellations one succeeds and the others get 409', async () => {
  const { id } = await runOf(CHAIN())
  const answers = await Promise.all([1, 2, 3].map(() => act('wes', id, 'force-cancel')))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
})

test('runs of an archived repository can be cancelled and rerun', async () => {
  const { id } = await runOf([newJob('build')])
  await forge.call('ann', 'PATCH', '/repos/ann/anvil', { archived: true })
  assert.equal((await act('wes', id, 'force-cancel')).status, 200)
  assert.equal((await act('wes', id, 'rerun')).status, 201)
  await forge.call('ann', 'PATCH', '/repos/ann/anvil', { archived: false })
})

test('every job sets a commit status with the descriptions that Gitea uses', async () => {
  const sha = '5'.repeat(40)
  const { id, jobs } = await runOf(
    [newJob('build'), newJob('test', { needs: ['build'], status: 'blocked' })],
    {
      head_sha: sha,
      workflow: 'on: push\nname: "ci" # short\n',
    },
  )
  const [build = 0, tests = 0] = jobs
  const said = async () => {
    const rows = await forge.db
      .selectFrom('commit_status')
      .select(['context', 'state', 'description', 'target_url'])
      .where('oid', '=', sha)
      .orderBy('id')
      .execute()
    return rows.map((row) => `${row.context}: ${row.state}, ${row.description}`)
  }
  await takeJob(forge.ctx, build)
  forge.advance(62_000)
  await endJob(forge.ctx, build, 'failure')
  await endJob(forge.ctx, tests, 'skipped')
  assert.deepEqual(await said(), [
    'ci / build (push): pending, Waiting to run',
    'ci / test (push): pending, Blocked by required conditions',
    'ci / build (push): pending, Has started running',
    'ci / build (push): failure, Failing after 1m2s',
    'ci / test (push): skipped, Skipped',
  ])
  const { target_url } = await forge.db
    .selectFrom('commit_status')
    .select('target_url')
    .where('oid', '=', sha)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.equal(target_url, `/ann/anvil/actions/runs/${id}/jobs/${build}`)
  await runOf([newJob('build')], { head_sha: '6'.repeat(40), event: 'schedule' })
  const others = await forge.db
    .selectFrom('commit_status')
    .select('id')
    .where('oid', '=', '6'.repeat(40))
    .execute()
  assert.equal(others.length, 0)
})

test('a run lists its pull requests', async () => {
  const file = (branch: object) => ({ content: 'bmV3Cg==', message: 'new', ...branch })
  await forge.call('ann', 'POST', '/repos/ann/anvil/contents/one.md', file({ branch: 'main' }))
  const side = { branch: 'main', new_branch: 'side' }
  await forge.call('ann', 'POST', '/repos/ann/anvil/contents/two.md', file(side))
  const pull = await forge.call('ann', 'POST', '/repos/ann/anvil/pulls', {
    title: 'p',
    head: 'side',
    base: 'main',
  })
  assert.equal(pull.status, 201)
  const { issue_id } = await forge.db.selectFrom('pull_request').select('issue_id').executeTakeFirstOrThrow()
  const ofPull = await runOf([newJob('build')], { event: 'pull_request', issue_id, ref: 'refs/pull/1/head' })
  const ofPush = await runOf([newJob('build')], { ref: 'refs/heads/side' })
  const ofMain = await runOf([newJob('build')])
  const pullsOf = async (id: number, as = 'ann') =>
    (await forge.call(as, 'GET', `${RUNS}/${id}`)).body.pull_requests
  const [entry] = await pullsOf(ofPull.id)
  assert.deepEqual([entry.number, entry.head.ref, entry.head.sha, entry.base.ref], [1, 'side', SHA, 'main'])
  assert.equal(entry.base.sha, pull.body.merge_base)
  assert.deepEqual(entry.head.repo, {
    id: anvil,
    url: 'http://forge.test/api/v1/repos/ann/anvil',
    name: 'anvil',
  })
  assert.deepEqual(await pullsOf(ofPush.id), [entry])
  assert.deepEqual(await pullsOf(ofMain.id), [])
  const { body } = await forge.call('ann', 'GET', `${RUNS}?branch=side&exclude_pull_requests=true`)
  assert.deepEqual(body.workflow_runs[0].pull_requests, [])
})
