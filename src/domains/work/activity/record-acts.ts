/** Records acts: one row for the act, and one feed row for each recipient. */
import type { EventMeta } from '#events/consumer'
import { type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import type { Acts } from '#slices'
import { holdPlace, insertActs, insertFeed, listWatchers } from './store.ts'

const SPREAD_JOB = 'activity-spread'
/** Feed rows per transaction; a repository may have a million watchers. */
const LINES_AT_ONCE = 5_000

/** Acts to add to the feeds of watchers with ids above `after`. */
interface Spread {
  readonly repository_id: number
  readonly ids: readonly number[]
  readonly after: number
}

export async function recordActs(
  ctx: TxContext,
  { repository_id, actor_id, acts }: Acts,
  meta: EventMeta,
): Promise<void> {
  if (acts.length === 0) return
  const place = await holdPlace(ctx.db, repository_id)
  // The repository is gone, and its acts with it.
  if (place === undefined) return
  const actorId = actor_id === 'owner' ? place.owner_id : actor_id
  const ids = await insertActs(ctx.db, place, actorId, acts, meta.at)
  // Inserted at once, because the actor looks for the act in their own feed or the organization's.
  const direct = [actorId, ...(place.isOrganizations ? [place.owner_id] : [])]
  await insertFeed(place.id, ids, direct).execute(ctx.db)
  await spread(ctx, { repository_id: place.id, ids, after: 0 })
}

export const activityJobs: readonly JobKind[] = [
  {
    name: SPREAD_JOB,
    run: (ctx, payload) => transact(ctx, (ctx) => spread(ctx, payload as Spread)),
  },
]

/** Inserts for one batch of watchers and leaves the rest to another job. Idempotent. */
async function spread(ctx: TxContext, { repository_id, ids, after }: Spread): Promise<void> {
  const limit = Math.ceil(LINES_AT_ONCE / ids.length)
  const watchers = await listWatchers(ctx.db, repository_id, after, limit)
  if (watchers.length === 0) return
  await insertFeed(repository_id, ids, watchers).execute(ctx.db)
  const last = watchers.at(-1)
  if (watchers.length < limit || last === undefined) return
  const payload: Spread = { repository_id, ids, after: last }
  await addJobs(ctx, [{ kind: SPREAD_JOB, payload, attemptsMax: ctx.config['jobs.attempts_max'] }])
}
