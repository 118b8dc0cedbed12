/** Creates a run with its first attempt and its initial jobs. */
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { type LockedRun, tellJobs, tellRun } from '../record/change.ts'
import { combine } from '../record/status.ts'
import type { NewJobRow, NewRunRow } from '../record/tables.ts'

export type NewRun = Omit<
  NewRunRow,
  | 'number'
  | 'status'
  | 'attempt'
  | 'started_at'
  | 'stopped_at'
  | 'created_at'
  | 'updated_at'
  | 'approver_id'
  | 'start_key'
> & { readonly start_key?: string }
export type NewJob = Omit<
  NewJobRow,
  'run_id' | 'attempt' | 'repository_id' | 'task_id' | 'started_at' | 'created_at' | 'updated_at'
>
export interface Concurrency {
  readonly concurrency_group: string | null
  readonly cancels_others: boolean
}

export async function createRun(
  ctx: TxContext,
  facts: NewRun,
  concurrency: Concurrency,
  jobs: readonly NewJob[],
): Promise<LockedRun> {
  const now = ctx.now()
  const at = { started_at: null, stopped_at: null, created_at: now, updated_at: now }
  const status = combine(
    jobs.map((job) => ({ status: job.status, continues_on_error: job.continues_on_error ?? false })),
  )
  const number = await takeNumber(ctx.db, facts.repository_id)
  const title = withNumbers(facts.title, { id: 0, number })
  const run = (await ctx.db
    .insertInto('action_run')
    .values({ ...facts, ...at, title, number, status, attempt: 1 })
    .returningAll()
    .executeTakeFirstOrThrow()) as LockedRun
  const { repository_id, trigger_actor_id: actor_id } = run
  const named = { ...concurrency, concurrency_group: withNumbers(concurrency.concurrency_group, run) }
  await ctx.db
    .insertInto('action_attempt')
    .values({ ...at, ...named, run_id: run.id, attempt: 1, actor_id, status, repository_id })
    .execute()
  const added = await addJobsOf(
    ctx,
    run,
    jobs.map((job) => numbered(job, run)),
  )
  await tellRun(ctx, run)
  return tellJobs(ctx, run, added)
}

/**
 * Placeholders for the id and number of a run in the first plan, which is made before the run has them, so that names
 * and groups can refer to them.
 */
export const RUN_ID = '\ue000run_id\ue001'
export const RUN_NUMBER = '\ue000run_number\ue001'

type Numbers = Pick<LockedRun, 'id' | 'number'>

function withNumbers<T extends string | null | undefined>(text: T, { id, number }: Numbers): T {
  if (!text?.includes('\ue000')) return text
  return text.replaceAll(RUN_ID, String(id)).replaceAll(RUN_NUMBER, String(number)) as T
}

function numbered(job: NewJob, run: Numbers): NewJob {
  return {
    ...job,
    name: withNumbers(job.name, run),
    runs_on: job.runs_on?.map((it) => withNumbers(it, run)) ?? [],
    labels_key: withNumbers(job.labels_key, run) ?? '',
    payload: withNumbers(job.payload ?? null, run),
    concurrency_group: withNumbers(job.concurrency_group ?? null, run),
  }
}

/** Adds jobs to the newest attempt. Callers must emit their events. */
export async function addJobsOf(ctx: TxContext, run: LockedRun, jobs: readonly NewJob[]) {
  if (jobs.length === 0) return []
  const now = ctx.now()
  const { id: run_id, attempt, repository_id } = run
  const at = { created_at: now, updated_at: now, started_at: null, task_id: null }
  return ctx.db
    .insertInto('action_job')
    .values(
      jobs.map((job) => ({
        queued_at: job.status === 'waiting' ? now : null,
        ...job,
        ...at,
        run_id,
        attempt,
        repository_id,
      })),
    )
    .returning(['id', 'attempt', 'status'])
    .execute()
}

/** Serialized by the row of the repository, so that run numbers are unique in it. */
async function takeNumber(tx: Tx, repositoryId: number): Promise<number> {
  const { last } = await tx
    .insertInto('action_run_number')
    .values({ repository_id: repositoryId, last: 1 })
    .onConflict((oc) =>
      oc.column('repository_id').doUpdateSet((eb) => ({ last: eb('action_run_number.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}
