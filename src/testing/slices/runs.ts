/** For tests: runs and jobs as the planner makes them, and reports as runners send them, without either. */
import { type Context, type TxContext, transact } from '#platform/context'
import { must } from '#platform/must'
import { createRun, type NewJob, type NewRun } from '../../domains/actions/runs/engine/create-run.ts'
import { changeJobs, type LockedRun, lockRun } from '../../domains/actions/runs/record/change.ts'
import type { Status } from '../../domains/actions/runs/record/status.ts'
import { endTasks } from '../../domains/actions/runs/tasks/end-tasks.ts'

export const SHA = '1'.repeat(40)

export function newJob(key: string, facts: Partial<NewJob> = {}): NewJob {
  return {
    key,
    name: key,
    status: 'waiting',
    runs_on: ['linux'],
    labels_key: 'linux',
    payload: facts.needs === undefined ? `jobs: {${key}: {}}` : null,
    parent_id: null,
    concurrency_group: null,
    queued_at: null,
    stopped_at: null,
    ...facts,
  }
}

/** By default a push to main by `actorId`. */
export function makeRun(
  ctx: Context,
  repositoryId: number,
  actorId: number,
  jobs: readonly NewJob[],
  facts: Partial<NewRun> = {},
): Promise<LockedRun> {
  return transact(ctx, (ctx) =>
    createRun(
      ctx,
      {
        repository_id: repositoryId,
        title: 'a commit',
        workflow_file: 'check.yml',
        workflow_path: '.gitea/workflows/check.yml',
        workflow: textOf(jobs),
        event: 'push',
        payload: '{}',
        ref: 'refs/heads/main',
        head_sha: SHA,
        issue_id: null,
        actor_id: actorId,
        trigger_actor_id: actorId,
        ...facts,
      },
      { concurrency_group: null, cancels_others: false },
      jobs,
    ),
  )
}

/** A workflow that is planned to these jobs. */
function textOf(jobs: readonly NewJob[]): string {
  const written = jobs.map(({ key, needs = [] }) => {
    return `  ${JSON.stringify(key)}: {runs-on: linux, needs: [${needs.join()}], steps: [{run: echo}]}\n`
  })
  return `name: check\non: push\njobs:\n${written.join('')}`
}

interface Taking {
  readonly canCancel?: boolean
  readonly steps?: readonly string[]
}

/** A runner takes a job: returns the task id. */
export function takeJob(
  ctx: Context,
  jobId: number,
  { canCancel = false, steps = ['Run it'] }: Taking = {},
): Promise<number> {
  return transact(ctx, async (ctx) => {
    const { job, run } = await lockJob(ctx, jobId)
    const now = ctx.now()
    const { id } = await ctx.db
      .insertInto('action_task')
      .values({
        job_id: job.id,
        repository_id: job.repository_id,
        runner_id: null,
        runner_name: 'smith',
        status: 'running',
        can_cancel: canCancel,
        sealed_masks: null,
        heard_at: now,
        started_at: now,
        stopped_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [position, name] of steps.entries())
      await ctx.db
        .insertInto('action_step')
        .values({ task_id: id, position, name, status: 'waiting', started_at: null, stopped_at: null })
        .execute()
    await changeJobs(ctx, run, [{ job, set: { status: 'running', task_id: id, started_at: now } }])
    return id
  })
}

/** A runner reports the end of a job. */
export function endJob(
  ctx: Context,
  jobId: number,
  status: Extract<Status, 'success' | 'failure' | 'cancelled' | 'skipped'>,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { job, run } = await lockJob(ctx, jobId)
    await endTasks(ctx, [jobId], status)
    await changeJobs(ctx, run, [{ job, set: { status } }])
  })
}

async function lockJob(ctx: TxContext, id: number) {
  const job = await ctx.db.selectFrom('action_job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { job, run: must(await lockRun(ctx.db, job.run_id), 'a job has a run') }
}
