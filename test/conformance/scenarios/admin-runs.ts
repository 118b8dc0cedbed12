/** Workflow runs and jobs of the whole instance. */
import assert from 'node:assert/strict'
import { type Stage, timeNow } from '../stage.ts'

/** Other scenarios may have their own runs. */
const others = { ignore: ['total_count', 'x-total-count', 'link'] }

const PUSH = `name: Push
on: push
jobs:
  first:
    runs-on: admin-runs-box
    steps:
      - run: echo first
  second:
    needs: first
    runs-on: admin-runs-box
    steps:
      - run: echo second
`
const BY_HAND = `name: By hand
on: workflow_dispatch
jobs:
  only:
    runs-on: [admin-runs-box, slow]
    steps:
      - run: echo only
`

export async function play(t: Stage): Promise<void> {
  await t.person('admin-runs-ann')
  await t.person('admin-runs-bob')
  await t.person('admin-runs-eve')
  await t.call('nobody may not list runs', null, 'GET', '/admin/actions/runs')
  await t.call('nobody may not list jobs', null, 'GET', '/admin/actions/jobs')
  await t.call('a plain user may not list runs', 'admin-runs-eve', 'GET', '/admin/actions/runs')
  await t.call('a plain user may not list jobs', 'admin-runs-eve', 'GET', '/admin/actions/jobs')
  await t.call('no run of ann yet', 'admin', 'GET', '/admin/actions/runs?actor=admin-runs-ann')

  const repo = '/repos/admin-runs-ann/anvil'
  await t.stage('admin-runs-ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
  await t.stage('admin-runs-ann', 'PUT', `${repo}/collaborators/admin-runs-bob`, { permission: 'write' })
  const commit = (path: string, text: string, branch: string, extra: object = {}) =>
    t.stage('admin-runs-ann', 'POST', `${repo}/contents/${path}`, {
      content: Buffer.from(text).toString('base64'),
      message: `add ${path}`,
      branch,
      ...extra,
    })
  const runs = (count: number) =>
    t.until(
      'admin',
      '/admin/actions/runs?actor=admin-runs-ann',
      (answer) => answer.headers.get('x-total-count') === String(count),
    )
  // A runner of this repository: the first run succeeds, the second fails, the others wait.
  const { token } = (await t.stage('admin-runs-ann', 'POST', `${repo}/actions/runners/registration-token`))
    .body
  const rpc = (name: string, body: unknown, headers: Record<string, string> = {}) =>
    t.call(
      '',
      null,
      'POST',
      `//api/actions/runner.v1.RunnerService/${name}`,
      { body, headers },
      { stage: true },
    )
  const { runner } = (
    await rpc('Register', { token, name: 'admin-runs-runner', version: 'v1.0.0', labels: ['admin-runs-box'] })
  ).body
  const identity = { 'x-runner-uuid': runner.uuid, 'x-runner-token': runner.token }
  const work = async (result: string) => {
    let task: { id: string } | undefined
    for (let i = 0; i < 100 && !task; i++) {
      task = (await rpc('FetchTask', { tasksVersion: '0' }, identity)).body.task
      if (!task) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.ok(task, 'no task for the runner')
    const at = timeNow()
    await rpc(
      'UpdateTask',
      {
        state: {
          id: task.id,
          result,
          startedAt: at,
          stoppedAt: at,
          steps: [{ id: '0', result, startedAt: at, stoppedAt: at, logIndex: '0', logLength: '0' }],
        },
        outputs: {},
      },
      identity,
    )
  }
  const done = (count: number) =>
    t.until(
      'admin',
      '/admin/actions/runs?actor=admin-runs-ann&status=completed',
      (answer) => answer.headers.get('x-total-count') === String(count),
    )
  await commit('.gitea/workflows/by-hand.yml', BY_HAND, 'main')
  await commit('.gitea/workflows/push.yml', PUSH, 'main')
  await runs(1)
  await work('RESULT_SUCCESS')
  await work('RESULT_SUCCESS')
  await done(1)
  const side = await commit('side.txt', 'side', 'main', { new_branch: 'admin-runs-side' })
  await runs(2)
  await work('RESULT_FAILURE')
  await done(2)
  await t.stage('admin-runs-ann', 'POST', `${repo}/pulls`, {
    head: 'admin-runs-side',
    base: 'main',
    title: 'Side',
  })
  await commit('third.txt', 'third', 'admin-runs-side')
  await runs(3)
  await t.stage('admin-runs-bob', 'POST', `${repo}/actions/workflows/by-hand.yml/dispatches`, { ref: 'main' })
  await t.until(
    'admin',
    '/admin/actions/runs?actor=admin-runs-bob',
    (answer) => answer.headers.get('x-total-count') === '1',
  )

  const list = (step: string, query: string, decision = {}) =>
    t.call(`runs: ${step}`, 'admin', 'GET', `/admin/actions/runs${query}`, {}, decision)
  await list('all', '', { statusOnly: true })
  await list('of ann, newest first', '?actor=admin-runs-ann')
  await list('of ann in capitals', '?actor=ADMIN-RUNS-ANN&limit=1')
  await list('page 1', '?actor=admin-runs-ann&limit=2')
  await list('page 2', '?actor=admin-runs-ann&limit=2&page=2')
  await list('past the last page', '?actor=admin-runs-ann&limit=2&page=5')
  await list('of bob, by hand', '?actor=admin-runs-bob')
  await list('by event', '?actor=admin-runs-ann&event=push&limit=1')
  await list('by an event that did not happen', '?actor=admin-runs-ann&event=schedule')
  await list('by hand, of all', '?event=workflow_dispatch&actor=admin-runs-bob&branch=main')
  await list('by branch', '?branch=admin-runs-side')
  await list('by a branch that does not exist', '?branch=admin-runs-none')
  await list('by the full name of a reference', '?branch=refs/heads/admin-runs-side')
  await list('by commit', `?head_sha=${side.body.commit.sha}`)
  await list('by the beginning of a commit', `?head_sha=${side.body.commit.sha.slice(0, 10)}`)
  await list('without pull requests', '?actor=admin-runs-ann&exclude_pull_requests=true&limit=1')
  for (const status of [
    'pending',
    'waiting',
    'requested',
    'action_required',
    'queued',
    'in_progress',
    'completed',
    'failure',
    'success',
    'skipped',
    'neutral',
    'cancelled',
    'timed_out',
  ])
    await list(`status ${status}`, `?actor=admin-runs-ann&status=${status}`)
  await list('two statuses', '?actor=admin-runs-ann&status=failure&status=success')
  await list('an unknown status', '?status=nonsense')
  await list('an empty status', '?status=')
  await list('an unknown actor', '?actor=admin-runs-nobody-known', { decision: 'D13', status: 200 })
  await list('an unknown status of an unknown actor', '?actor=admin-runs-nobody-known&status=nonsense')

  const jobs = (step: string, query: string, expectation: object = others) =>
    t.call(`jobs: ${step}`, 'admin', 'GET', `/admin/actions/jobs${query}`, {}, expectation)
  await jobs('all', '', { statusOnly: true })
  await jobs('oldest first', '?sort=id&order=asc&limit=2', { statusOnly: true })
  await jobs('newest first', '?sort=id&order=desc&limit=4')
  await jobs('second page', '?sort=id&order=desc&limit=2&page=2')
  await jobs('past the last page', '?sort=id&order=desc&limit=2&page=4000')
  await jobs('an order without a sort is not looked at', '?order=nonsense', { statusOnly: true })
  await jobs('an unknown order', '?sort=id&order=nonsense')
  await jobs('an unknown sort', '?sort=name')
  await jobs('a bad sort is found before a bad status', '?sort=name&status=nonsense')
  await jobs('an unknown status', '?status=nonsense')
  await jobs('an empty status', '?status=')
  for (const status of ['pending', 'queued', 'failure', 'success', 'skipped'])
    await jobs(`status ${status}`, `?status=${status}&sort=id&order=desc&limit=1`)
  await jobs('two statuses', '?status=failure&status=success&sort=id&order=desc&limit=3')

  // The same lists, limited to a user and to an organization.
  await t.call('own runs', 'admin-runs-ann', 'GET', '/user/actions/runs?limit=2')
  await t.call('own jobs', 'admin-runs-ann', 'GET', '/user/actions/jobs?sort=id&order=desc&limit=3')
  await t.call('own jobs in the order of their ids', 'admin-runs-ann', 'GET', '/user/actions/jobs?limit=3')
  await t.call('own jobs, an unknown sort', 'admin-runs-ann', 'GET', '/user/actions/jobs?sort=name')
  await t.call('nobody has no own runs', null, 'GET', '/user/actions/runs')
  await t.call('eve has no runs', 'admin-runs-eve', 'GET', '/user/actions/runs')
  await t.call('eve has no jobs', 'admin-runs-eve', 'GET', '/user/actions/jobs')
  await t.stage('admin-runs-ann', 'POST', '/orgs', { username: 'admin-runs-org' })
  await t.call('an organization without runs', 'admin-runs-ann', 'GET', '/orgs/admin-runs-org/actions/runs')
  await t.call('an organization without jobs', 'admin-runs-ann', 'GET', '/orgs/admin-runs-org/actions/jobs')
  await t.call(
    'a stranger may not list runs of an organization',
    'admin-runs-eve',
    'GET',
    '/orgs/admin-runs-org/actions/runs',
  )
  await t.call(
    'nobody may not list runs of an organization',
    null,
    'GET',
    '/orgs/admin-runs-org/actions/runs',
  )
  await t.stage('admin', 'DELETE', `/admin/actions/runners/${runner.id}`)
}
