/** Creates, edits and deletes milestones. */
import { type Context, transact } from '#platform/context'
import { notFound } from '#platform/problem'
import { deadlineOf } from '#platform/rest'
import type { WritableTracker } from './open-milestone.ts'
import type { CreateMilestone, EditMilestone } from './schemas.ts'
import {
  deleteMilestoneRow,
  findMilestone,
  insertMilestone,
  lockMilestone,
  updateMilestone,
} from './store.ts'
import type { MilestoneRow } from './tables.ts'

export function createMilestone(
  ctx: Context,
  repo: WritableTracker,
  input: CreateMilestone,
): Promise<MilestoneRow> {
  return transact(ctx, (ctx) => {
    const now = ctx.now()
    // Compat: an unknown state means open.
    const isClosed = input.state === 'closed'
    return insertMilestone(ctx.db, {
      repository_id: repo.id,
      title: input.title,
      description: input.description ?? '',
      is_closed: isClosed,
      closed_at: isClosed ? now : null,
      due_at: input.due_on === undefined ? null : deadlineOf(input.due_on),
      created_at: now,
      updated_at: now,
    })
  })
}

export function editMilestone(
  ctx: Context,
  repo: WritableTracker,
  id: number,
  input: EditMilestone,
): Promise<MilestoneRow> {
  return transact(ctx, async (ctx) => {
    const isThere = await lockMilestone(ctx.db, repo.id, id)
    const milestone = isThere ? await findMilestone(ctx.db, repo.id, id) : undefined
    if (milestone === undefined) throw notFound('milestone', id)
    const isClosed = input.state === undefined ? milestone.is_closed : input.state === 'closed'
    const patch = {
      // Compat: an empty title is ignored.
      title: input.title || milestone.title,
      description: input.description ?? milestone.description,
      is_closed: isClosed,
      closed_at: isClosed ? (milestone.closed_at ?? ctx.now()) : null,
      // Compat: an omitted due date is removed.
      due_at: input.due_on === undefined ? null : deadlineOf(input.due_on),
      updated_at: ctx.now(),
    }
    await updateMilestone(ctx.db, id, patch)
    return { ...milestone, ...patch }
  })
}

export async function deleteMilestone(ctx: Context, repo: WritableTracker, id: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await lockMilestone(ctx.db, repo.id, id))) throw notFound('milestone', id)
    await deleteMilestoneRow(ctx.db, id)
  })
}
