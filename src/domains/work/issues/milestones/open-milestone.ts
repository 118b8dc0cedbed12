/** Opening milestones: they belong to issues and pull requests alike. */

import type { Tracker } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { mayWrite, openAsSignedIn } from '../records/open-issue.ts'
import type { Milestone } from '../tables.ts'
import { findByTitle, findMilestone } from './store.ts'

/** Proof that the caller may write issues or pull requests of a repository. Compat: though it may be archived. */
export interface WritableTracker extends Tracker {
  readonly writable: true
}

export async function openToPlan(visit: Parameters<typeof openAsSignedIn>[0]): Promise<WritableTracker> {
  const { tracker } = await openAsSignedIn(visit)
  if (!mayWrite(tracker, false) && !mayWrite(tracker, true))
    throw forbidden('user should have a permission to write to a repo')
  return { ...tracker, writable: true }
}

/** By its number; a name that is none is a title. */
export async function openMilestone(ctx: Context, tracker: Tracker, name: string): Promise<Milestone> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : 0
  const found = await findMilestone(ctx.db, tracker.id, id)
  const milestone = found ?? (await findByTitle(ctx.db, tracker.id, name))
  if (milestone === undefined) throw notFound('milestone', name)
  return milestone
}
