/**
 * Activity is recorded by consumers of events, not by requests: one consumer for each event of a slice's `activities`.
 */
import { type Consumer, consumer, late, preparedConsumer } from '#events/consumer'
import type { Slice } from '#slices'
import { recordActs } from './record-acts.ts'
import { deleteActs, deleteFeed } from './store.ts'

export const activityConsumers: readonly Consumer[] = [
  consumer('activity-repository-deleted', 'repository.deleted', async (ctx, event) => {
    await deleteFeed(event.repository_id, event.owner_id).execute(ctx.db)
    await deleteActs(ctx.db, event.repository_id)
  }),
]

export function recordingConsumers(slices: readonly Slice[]): Consumer[] {
  return slices.flatMap(({ name, activities }) =>
    activities.map(({ subject, readsGit, actsOf }) => {
      const own = `activity:${name}:${subject}`
      return readsGit
        ? late(
            preparedConsumer(own, subject, actsOf, (ctx, _event, meta, acts) => recordActs(ctx, acts, meta)),
          )
        : consumer(own, subject, async (ctx, event, meta) => recordActs(ctx, await actsOf(ctx, event), meta))
    }),
  )
}
