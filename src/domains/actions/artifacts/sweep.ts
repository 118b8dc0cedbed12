/** Deletes expired artifacts, and detached parts with their objects. */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import { discardObjects } from '#platform/discard'
import { deleteExpired } from './record/store.ts'

/** Longer than any upload takes; an upload that is slower finds its row deleted. */
const ORPHAN_KEPT_MS = 24 * 3_600_000
const AT_ONCE = 500

export const artifactTasks: readonly CronTask[] = [
  { name: 'cleanup_actions', schedule: '@midnight', run: forgetArtifacts },
  { name: 'sweep_artifacts', schedule: '@every 1h', run: sweepParts },
]

async function forgetArtifacts(ctx: Context): Promise<void> {
  for (let forgotten = AT_ONCE; forgotten === AT_ONCE; )
    forgotten = await transact(ctx, (ctx) => deleteExpired(ctx, AT_ONCE))
  await sweepParts(ctx)
}

async function sweepParts(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ORPHAN_KEPT_MS)
  for (let swept = AT_ONCE; swept === AT_ONCE; )
    swept = await transact(ctx, async (ctx) => {
      const { rows } = await sql<{
        object_key: string
      }>`delete from action_artifact_part where object_key in (
          select object_key from action_artifact_part where artifact_id is null and created_at < ${before}
          order by created_at limit ${AT_ONCE})
        and artifact_id is null returning object_key`.execute(ctx.db)
      await discardObjects(
        ctx,
        rows.map(({ object_key }) => object_key),
      )
      return rows.length
    })
}
