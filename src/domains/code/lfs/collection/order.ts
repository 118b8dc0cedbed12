/** Orders the collection of every repository that is due, then deletes objects without links. */
import { findStamps, type StorageId } from '#git'
import { type Context, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { collectLinks, OVERLAP_MS } from './collect.ts'
import { listLinked } from './store.ts'
import { sweepObjects } from './sweep.ts'

const COLLECT_JOB = 'lfs-collect'
const DAY_MS = 86_400_000
const STORAGES_AT_ONCE = 1_000
const ATTEMPTS_MAX = 5
/** Walks that run at once in the cluster. */
const GROUPS = 2

export const collectJobs: readonly JobKind[] = [{ name: COLLECT_JOB, isLate: true, run: collectLinks }]

export async function collectObjects(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ctx.config['lfs.unreferenced_days'] * DAY_MS)
  const page = { before, overlapMs: OVERLAP_MS, limit: STORAGES_AT_ONCE }
  for (let last = 0 as StorageId; ; ) {
    const linked = await listLinked(ctx.db, last, page)
    if (linked.length === 0) break
    last = linked.at(-1)?.id ?? last
    const stamps = await findStamps(
      ctx.db,
      linked.map(({ id }) => id),
    )
    const due = linked.filter(({ id, stamp, has_news }) => {
      const now = stamps.get(id)
      return now !== undefined && (has_news || now !== stamp)
    })
    await transact(ctx, (ctx) =>
      addJobs(
        ctx,
        due.map(({ id }) => ({
          kind: COLLECT_JOB,
          payload: { storage_id: id },
          key: `${COLLECT_JOB}:${id}`,
          group: `${COLLECT_JOB}:${id % GROUPS}`,
          isSerial: true,
          attemptsMax: ATTEMPTS_MAX,
        })),
      ),
    )
  }
  await sweepObjects(ctx)
}
