/** Access checks for the runs of a repository. */

import { openToSee, type Visible } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import type { Context, TxContext } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { type LockedRun, lockRun } from './record/change.ts'
import type { RunRow } from './record/tables.ts'

declare const granted: unique symbol
/** Proof that the caller may read the runs of a repository. */
export type ReadableRuns = Visible & { readonly [granted]: 'runs' }
/** Proof that the caller may start and stop runs. */
export interface WritableRuns {
  readonly repo: ReadableRuns
  readonly actor: SignedIn
}

interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}

/** Compat: repository administrators may read runs while actions are disabled. */
export async function openRuns(visit: Visit): Promise<ReadableRuns> {
  const repo = await openToSee(visit.ctx, visit.params)
  assertMayRead(repo)
  return repo
}

/** Compat: lists of runs and jobs require sign-in; a single run and its jobs do not. */
export async function openRunsAsSignedIn(visit: Visit): Promise<ReadableRuns> {
  const repo = await openToSee(visit.ctx, visit.params)
  asSignedIn(visit)
  assertMayRead(repo)
  return repo
}

function assertMayRead(repo: Visible): asserts repo is ReadableRuns {
  if (!may(repo.access, 'read', 'actions') && !may(repo.access, 'admin'))
    throw forbidden('user should have specific read permission or be a repo admin or a site admin')
}

/** Compat: allowed on archived repositories. */
export async function openRunsToWrite(visit: Visit): Promise<WritableRuns> {
  const repo = await openRunsAsSignedIn(visit)
  if (!may(repo.access, 'write', 'actions') && !may(repo.access, 'admin'))
    throw forbidden('user should have a permission to write to a repo')
  return { repo, actor: asSignedIn(visit) }
}

export async function getRun(ctx: Context, repo: ReadableRuns, id: number): Promise<RunRow> {
  const run = await ctx.db
    .selectFrom('action_run')
    .selectAll()
    .where('id', '=', id)
    .where('repository_id', '=', repo.id)
    .executeTakeFirst()
  if (run === undefined) throw notFound('run', id)
  return run
}

/** Locked until the transaction ends. */
export async function getLockedRun(ctx: TxContext, repo: ReadableRuns, id: number): Promise<LockedRun> {
  const run = await lockRun(ctx.db, id)
  if (run === undefined || run.repository_id !== repo.id) throw notFound('run', id)
  return run
}
