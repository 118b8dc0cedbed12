/** Opens milestones, which belong to issues and pull requests alike. */

import { openTracker, type Tracker } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import type { Context } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { findByTitle, findMilestone } from './store.ts'
import type { MilestoneRow } from './tables.ts'

/** Proof that the caller may write issues or pull requests. Compat: the repository may be archived. */
export interface WritableTracker extends Tracker {
  readonly writable: true
}

interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}

export async function openToPlan(visit: Visit): Promise<WritableTracker> {
  const tracker = await openTracker(visit.ctx, visit.params)
  asSignedIn(visit)
  if (!may(tracker.access, 'write', 'issues') && !may(tracker.access, 'write', 'pulls'))
    throw forbidden('user should have a permission to write to a repo')
  return { ...tracker, writable: true }
}

/** By id, else by title. */
export async function openMilestone(ctx: Context, tracker: Tracker, name: string): Promise<MilestoneRow> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : 0
  const found = await findMilestone(ctx.db, tracker.id, id)
  const milestone = found ?? (await findByTitle(ctx.db, tracker.id, name))
  if (milestone === undefined) throw notFound('milestone', name)
  return milestone
}
