/** Workflow runs of a repository: created, listed, cancelled, rerun and deleted. */
import { type Expectation, type Stage, timeNow } from '../stage.ts'

const WORKFLOW = `name: check
on: [push, pull_request]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: echo build
  test:
    runs-on: ubuntu-latest
    needs: build
    steps:
      - run: echo test
`
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A simulated runner: its calls over plain HTTP. */
async function runner(t: Stage, token: string, name: string) {
  const call = async (method: string, body: unknown, headers: Record<string, string> = {}): Promise<any> => {
    const response = await fetch(`${t.base}/api/actions/runner.v1.RunnerService/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const { runner: me } = await call('Register', {
    name,
    token,
    version: 'v0.2.11',
    labels: ['ubuntu-latest'],
  })
  const mine = { 'x-runner-uuid': me.uuid, 'x-runner-token': me.token }
  await call('Declare', { version: 'v0.2.11', labels: ['ubuntu-latest'] }, mine)
  const task = async (): Promise<string> => {
    for (let i = 0; i < 100; i++) {
      const { task } = await call('FetchTask', { tasksVersion: '0' }, mine)
      if (task) return task.id
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error('no task for the runner')
  }
  const finish = async (id: string, result: string) => {
    const at = timeNow()
    const rows = ['first line', 'second line'].map((content) => ({ time: '2026-01-02T03:04:05Z', content }))
    await call('UpdateLog', { taskId: id, index: '0', rows, noMore: true }, mine)
    return call(
      'UpdateTask',
      {
        state: {
          id,
          result,
          startedAt: at,
          stoppedAt: at,
          steps: [{ id: '0', result, startedAt: at, stoppedAt: at, logIndex: '0', logLength: '2' }],
        },
      },
      mine,
    )
  }
  return { task, finish }
}

export async function play(t: Stage): Promise<void> {
  const [owner, writer, reader, stranger] = [
    'action-runs-owner',
    'action-runs-writer',
    'action-runs-reader',
    'action-runs-stranger',
  ]
  for (const name of [owner, writer, reader, stranger]) await t.person(name)
  for (const [name, hidden] of [
    ['forge', false],
    ['vault', true],
  ] as const)
    await t.stage(owner, 'POST', '/user/repos', {
      name,
      private: hidden,
      auto_init: true,
      default_branch: 'main',
    })
  const repo = `/repos/${owner}/forge`
  const vault = `/repos/${owner}/vault`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'PUT', `${repo}/collaborators/${reader}`, { permission: 'read' })
  const runs = `${repo}/actions/runs`
  const count = (number: number, where = runs) =>
    t.until(owner, where, (answer) => answer.body.total_count === number)
  const list = (step: string, as: string | null, query = '', where = runs, expectation: Expectation = {}) =>
    t.call(step, as, 'GET', `${where}${query}`, {}, expectation)
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, {}, expectation)
  const status = (id: number, wanted: string, conclusion?: string) =>
    t.until(
      owner,
      `${runs}/${id}`,
      (answer) => answer.body.status === wanted && answer.body.conclusion === conclusion,
    )

  await list('no runs yet', owner)
  await list('runs for nobody', null)
  await list('runs of a hidden repository for a stranger', stranger, '', `${vault}/actions/runs`)
  await list('runs of a missing repository', owner, '', `/repos/${owner}/none/actions/runs`)
  await t.stage(owner, 'POST', `${repo}/contents/.gitea/workflows/check.yml`, {
    content: base64(WORKFLOW),
    branch: 'main',
    message: 'add a workflow\n\nwith a body',
  })
  await count(1)
  await list('a run after a push', owner)
  await t.stage(writer, 'POST', `${repo}/contents/new.md`, {
    content: 'bmV3Cg==',
    new_branch: 'topic',
    branch: 'main',
    message: 'new on topic',
  })
  await count(2)
  await t.stage(writer, 'POST', `${repo}/pulls`, { title: 'a pull', head: 'topic', base: 'main' })
  const all = (await count(3)).body.workflow_runs
  const [third, second, first] = all.map((run: { id: number }) => run.id)
  const sha = all[2].head_sha

  await list('all runs', reader)
  await list('all runs for a stranger', stranger)
  await list('all runs for the administrator', 'admin')
  await list('runs by push', owner, '?event=push')
  await list('runs by pull request', owner, '?event=pull_request')
  await list('runs by an unknown event', owner, '?event=none')
  await list('runs of a branch', owner, '?branch=topic')
  await list('runs of a branch that is not there', owner, '?branch=none')
  await list('runs of an actor', owner, `?actor=${writer}`)
  await list('runs of an actor nobody knows', owner, '?actor=action-runs-none', runs, {
    decision: 'D13',
    status: 200,
  })
  await list('runs of a commit', owner, `?head_sha=${sha}`)
  await list(
    'runs of a commit that is not there',
    owner,
    '?head_sha=0123456789012345678901234567890123456789',
  )
  await list('runs without their pull requests', owner, '?exclude_pull_requests=true')
  await list('several filters', owner, `?event=push&branch=topic&actor=${writer}&status=queued`)
  await list('two to a page', owner, '?limit=2')
  await list('second page', owner, '?limit=2&page=2')
  await list('a page behind the last', owner, '?limit=2&page=9')
  await list('an unknown status', owner, '?status=done')
  await call('one run', reader, 'GET', `${runs}/${third}`)
  await call('one run for nobody', null, 'GET', `${runs}/${third}`)
  await call('no such run', owner, 'GET', `${runs}/987654`)
  await call('a run by the path of another repository', owner, 'GET', `${vault}/actions/runs/${first}`)
  await call('jobs of a run', reader, 'GET', `${runs}/${first}/jobs`)
  await call('jobs of no run', reader, 'GET', `${runs}/987654/jobs`)
  await call('artifacts of a run', reader, 'GET', `${runs}/${first}/artifacts`)

  const worker = await runner(
    t,
    (await t.stage(owner, 'POST', `${repo}/actions/runners/registration-token`)).body.token,
    'action-runs-runner',
  )
  const build = await worker.task()
  await status(first, 'in_progress')
  await call('a run in progress', owner, 'GET', `${runs}/${first}`)
  await call('its jobs', owner, 'GET', `${runs}/${first}/jobs`)
  for (const name of ['in_progress', 'queued', 'pending', 'completed'])
    await list(`runs in status ${name} while one runs`, owner, `?status=${name}`)
  // Waiting jobs are taken in order of their last change: the second job of the first run comes after the other runs.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  await worker.finish(build, 'RESULT_SUCCESS')
  await status(first, 'queued')
  await call('the first job is done, the second waits', owner, 'GET', `${runs}/${first}/jobs`)

  const cancel = (
    step: string,
    as: string | null,
    id: number | string,
    kind = 'force-cancel',
    where = runs,
  ) => call(step, as, 'POST', `${where}/${id}/${kind}`)
  await cancel('nobody may not force', null, second)
  await cancel('a reader may not force', reader, second)
  await cancel('a stranger may not force', stranger, second)
  await cancel(
    'a stranger does not see the hidden repository',
    stranger,
    second,
    'force-cancel',
    `${vault}/actions/runs`,
  )
  await cancel('no such run to force', writer, 987654)
  await cancel('a word instead of a run', writer, 'abc')
  await cancel(
    'a run by the path of another repository to force',
    owner,
    second,
    'force-cancel',
    `${vault}/actions/runs`,
  )
  const taken = await worker.task()
  await status(second, 'in_progress')
  await cancel('a run in progress is forced', writer, second)
  await cancel('a cancelled run is not forced again', writer, second)
  await worker.finish(taken, 'RESULT_SUCCESS').catch(() => undefined)
  await call('what the runner says later is not heard', owner, 'GET', `${runs}/${second}`)
  await call('the jobs of the forced run', owner, 'GET', `${runs}/${second}/jobs`)
  await cancel('a queued run is cancelled', writer, third, 'cancel')
  await call('the jobs of the cancelled run', owner, 'GET', `${runs}/${third}/jobs`)

  const test = await worker.task()
  await status(first, 'in_progress')
  await worker.finish(test, 'RESULT_FAILURE')
  await status(first, 'completed', 'failure')
  await call('a failed run', owner, 'GET', `${runs}/${first}`)
  const jobs = (await call('the jobs of a failed run', owner, 'GET', `${runs}/${first}/jobs`)).body.jobs
  await call('jobs one to a page', owner, 'GET', `${runs}/${first}/jobs?limit=1&page=2`)
  await call('only failed jobs', owner, 'GET', `${runs}/${first}/jobs?status=failure`)
  await call('jobs the other way round', owner, 'GET', `${runs}/${first}/jobs?sort=id&order=desc`)
  await call('jobs in an unknown order', owner, 'GET', `${runs}/${first}/jobs?sort=name`)
  await call('jobs in an unknown status', owner, 'GET', `${runs}/${first}/jobs?status=done`)
  await call('one job', reader, 'GET', `${repo}/actions/jobs/${jobs[0].id}`)
  await call('no such job', reader, 'GET', `${repo}/actions/jobs/987654`)
  await call('the log of a job', reader, 'GET', `${repo}/actions/jobs/${jobs[0].id}/logs`)
  await call('the log of no job', reader, 'GET', `${repo}/actions/jobs/987654/logs`)
  await call('jobs of the repository', reader, 'GET', `${repo}/actions/jobs`)
  await call('failed jobs of the repository', reader, 'GET', `${repo}/actions/jobs?status=failure`)
  await call('tasks of the repository', reader, 'GET', `${repo}/actions/tasks`)
  await call('runners of the repository', owner, 'GET', `${repo}/actions/runners`, { ignore: ['busy'] })
  for (const name of [
    'pending',
    'queued',
    'in_progress',
    'failure',
    'success',
    'skipped',
    'cancelled',
    'completed',
    'waiting',
  ])
    await list(`runs in status ${name}`, owner, `?status=${name}`)
  await list('runs in one of two statuses', owner, '?status=failure&status=queued')

  await cancel('a finished run is not forced', writer, first)
  await cancel('a finished run is not cancelled', writer, first, 'cancel')
  await cancel('a reader may not cancel', reader, second, 'cancel')
  await cancel('a run is not to be approved', owner, third, 'approve')

  await cancel('a reader may not run again', reader, first, 'rerun')
  await cancel('no such run to run again', writer, 987654, 'rerun')
  await cancel('run again', writer, first, 'rerun')
  await cancel('a run that is not done does not run again', writer, first, 'rerun')
  await call('the second attempt', owner, 'GET', `${runs}/${first}`)
  await call('the first attempt', owner, 'GET', `${runs}/${first}/attempts/1`)
  await call('the jobs of the first attempt', owner, 'GET', `${runs}/${first}/attempts/1/jobs`)
  await call('no such attempt', owner, 'GET', `${runs}/${first}/attempts/9`)
  await cancel('a queued run is forced', 'admin', first)
  await cancel('only the failed jobs again', writer, first, 'rerun-failed-jobs')
  await cancel('that is forced too', owner, first)
  const old = (await t.stage(owner, 'GET', `${runs}/${third}/jobs`)).body.jobs[0].id
  await call('one job again', writer, 'POST', `${runs}/${third}/jobs/${old}/rerun`)
  await call('no such job again', writer, 'POST', `${runs}/${third}/jobs/987654/rerun`)
  await cancel('the job is forced', owner, third)

  await call('nobody may not delete a run', null, 'DELETE', `${runs}/${first}`)
  await call('a reader may not delete a run', reader, 'DELETE', `${runs}/${first}`)
  await call('a run is deleted', writer, 'DELETE', `${runs}/${first}`)
  await call('a run is deleted twice', writer, 'DELETE', `${runs}/${first}`)
  await list('the runs that are left', owner)

  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(writer, 'POST', `/users/${writer}/tokens`, { name, scopes })).body.sha1}`
  await t.call('a token that may only read repositories', writer, 'POST', `${runs}/${second}/force-cancel`, {
    headers: { authorization: await token('reads', ['read:repository']) },
  })
  await t.call('a token that may only write issues', writer, 'GET', runs, {
    headers: { authorization: await token('issues', ['write:issue']) },
  })

  // The administrator sees runs of all repositories: filters limit this to the runs of this scenario.
  await list('runs of all repositories, of one actor', 'admin', `?actor=${writer}`, '/admin/actions/runs')
  await list(
    'runs of all repositories, of one actor, one to a page',
    'admin',
    `?actor=${writer}&limit=1`,
    '/admin/actions/runs',
  )
  await list(
    'runs of all repositories, by actor and event',
    'admin',
    `?actor=${writer}&event=pull_request`,
    '/admin/actions/runs',
  )
  await list(
    'runs of all repositories, by actor and branch',
    'admin',
    `?actor=${writer}&branch=topic`,
    '/admin/actions/runs',
  )
  await list(
    'runs of all repositories, by actor and status',
    'admin',
    `?actor=${writer}&status=cancelled`,
    '/admin/actions/runs',
  )
  await list(
    'runs of all repositories, by commit',
    'admin',
    `?head_sha=${all[1].head_sha}`,
    '/admin/actions/runs',
  )
  await list('runs of all repositories for another', owner, `?actor=${writer}`, '/admin/actions/runs')
  await list('runs of the own repositories', owner, '', '/user/actions/runs')
  await list('jobs of the own repositories', owner, '?status=completed', '/user/actions/jobs')
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await cancel('an archived repository: run again', writer, second, 'rerun')
  await list('an archived repository: runs', reader)
  await t.stage(owner, 'PATCH', repo, { archived: false })
  await t.stage(owner, 'PATCH', repo, { has_actions: false })
  await list('actions switched off: runs', reader)
  await list('actions switched off: runs for the owner', owner)
}
