/** Skips events of repositories without workflows, which most repositories are. */
import type { Repository } from '#domains/code/repositories'
import { repositoryOf } from '#events'
import type { Interest } from '#events/consumer'
import { findTips, HEADS } from '#git'
import type { Context } from '#platform/context'
import { hasNoWorkflows } from '../files/find-workflows.ts'

/** Only for events that trigger workflows of the default branch; checks the branch's current commit. */
export const mayHaveWorkflows: Interest = async (ctx, events) => {
  const ids = events.map((event) => repositoryOf(event) ?? 0)
  const places = await findPlaces(ctx, [...new Set(ids)])
  const tips = await findTips(
    ctx.db,
    places.map(({ storage_id, default_branch }) => ({ storageId: storage_id, name: HEADS + default_branch })),
  )
  const without = new Set(
    tips.filter((tip) => hasNoWorkflows(ctx, tip, tip.oid)).map(({ storage_id }) => storage_id),
  )
  const idle = new Set(places.filter(({ storage_id }) => without.has(storage_id)).map(({ id }) => id))
  return ids.map((id) => !idle.has(id))
}

function findPlaces(
  ctx: Context,
  ids: readonly number[],
): Promise<Pick<Repository, 'id' | 'storage_id' | 'default_branch'>[]> {
  return ctx.db
    .selectFrom('repository')
    .select(['id', 'storage_id', 'default_branch'])
    .where('id', 'in', [...ids])
    .execute()
}
