/** Opening the runs of a repository: who may see them, who may act on them, and one of them. */

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
/** Proof that the caller may start and stop them. */
export interface WritableRuns {
  readonly repo: ReadableRuns
  readonly actor: SignedIn
}

interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}

/** Compat: an administrator of the repository may also where actions are switched off. */
export async function openRuns(visit: Visit): Promise<ReadableRuns> {
  const repo = await openToSee(visit.ctx, visit.params)
  assertMayRead(repo)
  return repo
}

/** Compat: lists of all runs and jobs are for those who sign in; what belongs to one run is for all who may read it. */
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

/** Compat: what is archived can still be stopped and started. */
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

/** The same, and nobody else changes it until the transaction ends. */
export async function getLockedRun(ctx: TxContext, repo: ReadableRuns, id: number): Promise<LockedRun> {
  const run = await lockRun(ctx.db, id)
  if (run === undefined || run.repository_id !== repo.id) throw notFound('run', id)
  return run
}
