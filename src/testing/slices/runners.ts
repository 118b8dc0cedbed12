/** For tests: workflow runs without a push, and a scripted runner. */
import { type Context, transact } from '#platform/context'
import { createRun, type NewJob } from '../../domains/actions/runs/engine/create-run.ts'

export { callProcedure, type Message, SimulatedRunner } from '../../cli/demo/runner.ts'

const WORKFLOW =
  'on: push\njobs:\n  build:\n    steps:\n      - name: first\n        run: make\n      - run: make test\n'

/** A run with these jobs, which wait for a runner by default. */
export function addRun(
  ctx: Context,
  repositoryId: number,
  jobs: readonly Partial<NewJob>[] = [{}],
  facts: { is_from_fork?: boolean } = {},
) {
  const run = {
    repository_id: repositoryId,
    title: 'a run',
    workflow_file: 'check.yml',
    workflow_path: '.gitea/workflows/check.yml',
    workflow: WORKFLOW,
    event: 'push',
    payload: '{"before":"0"}',
    ref: 'refs/heads/main',
    head_sha: 'a'.repeat(40),
    issue_id: null,
    actor_id: null,
    trigger_actor_id: null,
    ...facts,
  }
  const all = jobs.map((job, i): NewJob => {
    const { runs_on = ['linux'] } = job
    return {
      key: `job-${i}`,
      name: `job-${i}`,
      runs_on,
      labels_key: [...runs_on]
        .map((it) => it.toLowerCase())
        .sort()
        .join('\n'),
      parent_id: null,
      status: 'waiting',
      payload: WORKFLOW,
      permissions: '{"code":"write"}',
      concurrency_group: null,
      queued_at: ctx.now(),
      stopped_at: null,
      ...job,
    }
  })
  const concurrency = { concurrency_group: null, cancels_others: false }
  return transact(ctx, (ctx) => createRun(ctx, run, concurrency, all))
}
