/** Loads jobs with their runs, runners and steps in a fixed number of queries. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Db, Paged } from '#platform/db'
import { type Page, pageOf } from '#platform/rest'
import { type PlacedJob, presentJob, type WorkflowJob } from '../wire/job.ts'
import { type JobsQuery, readJobsQuery } from './filter.ts'
import { findJobIds, type Scope } from './find.ts'

export async function listJobs(
  ctx: Context,
  scope: Scope,
  query: JobsQuery,
  page: Page = pageOf(ctx, query),
): Promise<Paged<WorkflowJob>> {
  const { ids, total } = await findJobIds(ctx.db, scope, readJobsQuery(query), page)
  return { items: await showJobs(ctx, ids), total }
}

/** In the order of `ids`. */
export async function showJobs(ctx: Context, ids: readonly number[]): Promise<WorkflowJob[]> {
  if (ids.length === 0) return []
  const jobs = new Map((await findPlaced(ctx.db, ids)).map((job) => [job.id, job]))
  const taskIds = [...jobs.values()].flatMap(({ task_id }) => task_id ?? [])
  const tasks = new Map((await findTasks(ctx.db, taskIds)).map((task) => [task.id, task]))
  const steps = Map.groupBy(await findSteps(ctx.db, taskIds), ({ task_id }) => task_id)
  return ids.flatMap((id) => {
    const job = jobs.get(id)
    if (job === undefined) return []
    const task = tasks.get(job.task_id ?? 0)
    return [presentJob(job, { site: ctx.site, task, steps: steps.get(job.task_id ?? 0) ?? [] })]
  })
}

export function findPlaced(db: Db, ids: readonly number[]): Promise<PlacedJob[]> {
  return db
    .selectFrom('action_job')
    .innerJoin('action_run', 'action_run.id', 'action_job.run_id')
    .innerJoin('repository', 'repository.id', 'action_job.repository_id')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .selectAll('action_job')
    .select(['action_run.ref', 'action_run.head_sha'])
    .select(['repository.name as repository_name', 'account.login as owner_login'])
    .where('action_job.id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
}

async function findTasks(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('action_task')
    .select(['id', 'runner_id', 'runner_name'])
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
}

async function findSteps(db: Db, taskIds: readonly number[]) {
  if (taskIds.length === 0) return []
  return db
    .selectFrom('action_step')
    .selectAll()
    .where('task_id', '=', sql<number>`any(${[...taskIds]}::bigint[])`)
    .orderBy('task_id')
    .orderBy('position')
    .execute()
}
