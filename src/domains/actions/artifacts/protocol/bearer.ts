/** Authenticates the runtime token of a job, which is valid while the job runs. */

import { jobTokenIn } from '#domains/actions/runs'
import { findJob } from '#domains/code/keys'
import type { Context } from '#platform/context'
import { forbidden, Problem } from '#platform/problem'
import type { Authenticated, PresentedCredentials, RawBearer } from '#platform/rest'

export interface JobBearer extends RawBearer {
  readonly repository_id: number
  readonly run_id: number
  readonly job_id: number
}

export async function authenticateJob(
  ctx: Context,
  { token }: PresentedCredentials,
): Promise<Authenticated<JobBearer> | undefined> {
  const bearer = token && (await findJobBearer(ctx, token.text))
  return bearer && { bearer }
}

async function findJobBearer(ctx: Context, token: string): Promise<JobBearer | undefined> {
  const jobToken = jobTokenIn(token)
  const grant = jobToken === undefined ? undefined : await findJob(ctx.db, jobToken)
  if (grant === undefined) return undefined
  const job = await ctx.db
    .selectFrom('action_task')
    .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
    .select(['action_job.id', 'action_job.run_id'])
    .where('action_task.id', '=', grant.task_id)
    .executeTakeFirst()
  if (job === undefined) return undefined
  return {
    name: `task ${grant.task_id}`,
    renew: (ctx) => findJobBearer(ctx, token),
    repository_id: grant.repository_id,
    run_id: job.run_id,
    job_id: job.id,
  }
}

/** `run`: the run id in the request, which must be that of the token. */
export function asJob(bearer: JobBearer | null, run?: string | number): JobBearer {
  if (bearer === null) throw new Problem('unauthenticated', 'runtime token is required')
  if (run !== undefined && String(run) !== String(bearer.run_id)) throw forbidden('token is of another run')
  return bearer
}
