/** Filters of the lists of runs and jobs. */
import { type Static, Type } from 'typebox'
import { findAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { pageFields } from '#platform/rest'
import type { Status } from '../record/status.ts'
import { readStatuses } from '../wire/status.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))
const status = Type.Optional(
  Type.Array(Type.String(), {
    description:
      'pending, queued, in_progress, completed, failure, success, skipped or cancelled; repeatable',
  }),
)

export type RunsQuery = Static<typeof RunsQuery>
export const RunsQuery = Type.Object({
  ...pageFields,
  event: text('event that triggered the run'),
  branch: text('branch of the run'),
  status,
  actor: text('login of the user who triggered the run'),
  head_sha: text('commit of the run'),
  exclude_pull_requests: Type.Optional(Type.Boolean({ description: 'leave out the pull requests of runs' })),
})

export type JobsQuery = Static<typeof JobsQuery>
export const JobsQuery = Type.Object({
  ...pageFields,
  status,
  sort: text('id'),
  order: text('asc (default) or desc'),
})

/** Null: no filter. */
export interface RunFilter {
  readonly event: string | null
  readonly ref: string | null
  readonly statuses: readonly Status[] | null
  readonly actorId: number | null
  readonly headSha: string | null
  readonly workflowFile: string | null
}

/** An id that no account has, so nothing is found. */
const NOBODY = 0

export async function readRunsQuery(
  ctx: Context,
  query: RunsQuery,
  workflowFile: string | null,
): Promise<RunFilter> {
  const statuses = readStatuses(query.status)
  const actor = query.actor ? await findAccount(ctx.db, query.actor) : null
  return {
    event: query.event || null,
    ref: query.branch ? `refs/heads/${query.branch}` : null,
    statuses,
    actorId: actor === null ? null : (actor?.id ?? NOBODY),
    headSha: query.head_sha || null,
    workflowFile,
  }
}

export interface JobFilter {
  readonly statuses: readonly Status[] | null
  readonly order: 'asc' | 'desc'
}

/** The only sort is the default one, so `order` alone refers to the id (D39). */
export function readJobsQuery({ sort, order, status }: JobsQuery): JobFilter {
  if (sort !== undefined && sort !== '' && sort !== 'id') throw invalid('invalid sort mode', { sort })
  const wanted = order || 'asc'
  if (wanted !== 'asc' && wanted !== 'desc') throw invalid('invalid sort order', { order })
  return { statuses: readStatuses(status), order: wanted }
}
