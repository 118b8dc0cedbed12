/** Cancelling: with a responsive runner, with an unresponsive one, by force; and runs that wait for approval. */
import { type Expectation, type Stage, timeNow } from '../stage.ts'

const WORKFLOW = `name: check
on: [push, pull_request]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - name: compile
        run: echo build
      - run: echo more
  never:
    runs-on: ubuntu-latest
    if: false
    steps:
      - run: echo never
  matrix:
    runs-on: ubuntu-latest
    needs: [build]
    strategy:
      matrix:
        size: [small, large]
    steps:
      - run: echo \${{ matrix.size }}
`

/** A runner that supports cancellation; its calls over plain HTTP. */
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
  const able = { version: 'v0.6.0', labels: ['ubuntu-latest'], capabilities: ['cancelling'] }
  const { runner: me } = await call('Register', { name, token, ...able })
  const mine = { 'x-runner-uuid': me.uuid, 'x-runner-token': me.token }
  await call('Declare', able, mine)
  return {
    task: async (): Promise<string> => {
      for (let i = 0; i < 100; i++) {
        const { task } = await call('FetchTask', { tasksVersion: '0' }, mine)
        if (task) return task.id
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error('no task for the runner')
    },
    /** The server's answer to a report: its view of the task's result. */
    report: async (id: string, result: string): Promise<string> => {
      const at = timeNow()
      const stopped = result === 'RESULT_UNSPECIFIED' ? {} : { stoppedAt: at }
      return (await call('UpdateTask', { state: { id, result, startedAt: at, ...stopped } }, mine)).state
        ?.result
    },
  }
}

export async function play(t: Stage): Promise<void> {
  const [owner, writer, guest] = ['action-cancel-owner', 'action-cancel-writer', 'action-cancel-guest']
  for (const name of [owner, writer, guest]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' })
  const repo = `/repos/${owner}/forge`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  const runs = `${repo}/actions/runs`
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, {}, expectation)
  const newest = async (count: number): Promise<number> =>
    (await t.until(owner, runs, (answer) => answer.body.total_count === count)).body.workflow_runs[0].id
  const status = (id: number, wanted: string) =>
    t.until(owner, `${runs}/${id}`, (answer) => answer.body.status === wanted)
  let files = 0
  const push = () =>
    t.stage(writer, 'POST', `${repo}/contents/file-${++files}.md`, {
      content: 'bmV3Cg==',
      branch: 'main',
      message: `file ${files}`,
    })
  const worker = await runner(
    t,
    (await t.stage(owner, 'POST', `${repo}/actions/runners/registration-token`)).body.token,
    'action-cancel-runner',
  )

  await t.stage(owner, 'POST', `${repo}/contents/.gitea/workflows/check.yml`, {
    content: Buffer.from(WORKFLOW).toString('base64'),
    branch: 'main',
    message: 'a workflow',
  })
  const answering = await newest(1)
  await call('jobs with a condition and a matrix', owner, 'GET', `${runs}/${answering}/jobs`)
  const first = await worker.task()
  await worker.report(first, 'RESULT_UNSPECIFIED')
  await status(answering, 'in_progress')
  await call('cancelled while the runner works', writer, 'POST', `${runs}/${answering}/cancel`)
  await call('the runner was told, the run goes on', owner, 'GET', `${runs}/${answering}/jobs`)
  await call(
    'a run that is being cancelled is not found as in progress',
    owner,
    'GET',
    `${runs}?status=in_progress`,
  )
  await call('cancelled twice', writer, 'POST', `${runs}/${answering}/cancel`)
  await worker.report(first, 'RESULT_SUCCESS')
  await status(answering, 'completed')
  await call('the runner answered', owner, 'GET', `${runs}/${answering}`)
  await call('its jobs are cancelled', owner, 'GET', `${runs}/${answering}/jobs`)

  await push()
  const silent = await newest(2)
  const second = await worker.task()
  await worker.report(second, 'RESULT_UNSPECIFIED')
  await status(silent, 'in_progress')
  await call('cancelled, but the runner is silent', writer, 'POST', `${runs}/${silent}/cancel`)
  await call('then by force', writer, 'POST', `${runs}/${silent}/force-cancel`)
  await worker.report(second, 'RESULT_SUCCESS')
  await call('what the runner says later is not heard', owner, 'GET', `${runs}/${silent}`)
  await call('the jobs after the force', owner, 'GET', `${runs}/${silent}/jobs`)
  const head = (await t.stage(owner, 'GET', `${runs}/${silent}`)).body.head_sha
  await t.until(
    owner,
    `${repo}/commits/${head}/status`,
    ({ body }) =>
      body.statuses?.length === 4 &&
      body.statuses.every((one: { status: string }) => one.status === 'failure'),
  )
  await call('the status of the commit', owner, 'GET', `${repo}/commits/${head}/status`, {
    ignore: ['statuses'],
  })

  await push()
  const waiting = await newest(3)
  await call('by force before any runner came', writer, 'POST', `${runs}/${waiting}/force-cancel`)
  await call('by force twice', writer, 'POST', `${runs}/${waiting}/force-cancel`)
  await call('its jobs', owner, 'GET', `${runs}/${waiting}/jobs`)
  await call('cancelled runs', owner, 'GET', `${runs}?status=cancelled&limit=1`)

  await t.stage(guest, 'POST', `${repo}/forks`, {})
  await t.stage(guest, 'POST', `/repos/${guest}/forge/contents/guest.md`, {
    content: 'bmV3Cg==',
    branch: 'main',
    new_branch: 'topic',
    message: 'by a guest',
  })
  await t.stage(guest, 'POST', `${repo}/pulls`, { title: 'by a guest', head: `${guest}:topic`, base: 'main' })
  const stranger = await newest(4)
  await call('a run that needs approval', owner, 'GET', `${runs}/${stranger}`)
  await call('runs that need approval', owner, 'GET', `${runs}?status=action_required`)
  await call('pending runs', owner, 'GET', `${runs}?status=pending`)
  await call('the guest may not approve', guest, 'POST', `${runs}/${stranger}/approve`)
  await call('approved', writer, 'POST', `${runs}/${stranger}/approve`)
  await call('approved twice', writer, 'POST', `${runs}/${stranger}/approve`)
  await call('the guest may not force', guest, 'POST', `${runs}/${stranger}/force-cancel`)
  await call('the owner forces', owner, 'POST', `${runs}/${stranger}/force-cancel`)

  // Jobs of all repositories: the newest is from this scenario, their number is not.
  await call('jobs of all repositories', 'admin', 'GET', '/admin/actions/jobs?sort=id&order=desc&limit=1', {
    ignore: ['total_count', 'x-total-count', 'link'],
  })
  await call(
    'cancelled jobs of all repositories',
    'admin',
    'GET',
    '/admin/actions/jobs?status=cancelled&sort=id&order=desc&limit=1',
    { ignore: ['total_count', 'x-total-count', 'link'] },
  )
  await call('jobs of all repositories in an unknown order', 'admin', 'GET', '/admin/actions/jobs?sort=name')
  await call(
    'jobs of all repositories in an unknown status',
    'admin',
    'GET',
    '/admin/actions/jobs?status=done',
  )
  await call('jobs of all repositories for another', owner, 'GET', '/admin/actions/jobs')
}
