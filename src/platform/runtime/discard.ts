/**
 * Objects in the store that no row names: a cron task deletes them a day later. A failover may lose the last commits, and
 * then the rows that named them are back.
 */
import { sql } from 'kysely'
import { isBackupUnderWay } from '#platform/backup'
import { asPreparation, type Context, type TxContext, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import { Problem } from '#platform/problem'
import type { JobKind } from '#platform/queue'

declare module '#platform/db' {
  interface Tables {
    discarded_object: { key: string; since: Date; is_doomed: boolean }
  }
}

/** Same as for retired packs: longer than any read, any upload, and any commits lost in a failover. */
const KEPT_MS = 24 * 3_600_000
const AT_ONCE = 500

/**
 * Invariant: the row that named them is deleted in the same transaction, and no other row will name them: keys are never
 * reused. So it does not matter when they are deleted.
 */
export async function discardObjects(ctx: TxContext, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`insert into discarded_object (key, since) select unnest(${[...keys]}::text[]), ${ctx.now()}
    on conflict (key) do nothing`.execute(ctx.db)
}

/**
 * Called before an object is stored for a row that is written later: if the row never comes, the object is found and
 * deleted.
 */
export async function announceObject(ctx: Context, key: string): Promise<void> {
  await transact(asPreparation(ctx), (ctx) => discardObjects(ctx, [key]))
}

/** The transaction names an announced object from now on. */
export async function keepObject(ctx: TxContext, key: string): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('discarded_object')
    .where('key', '=', key)
    .where('is_doomed', '=', false)
    .executeTakeFirstOrThrow()
  // The upload took longer than unnamed objects are kept.
  if (numDeletedRows === 0n) throw new Problem('unavailable', 'operation timed out, please try again')
}

export const discardTasks: readonly CronTask[] = [
  { name: 'delete_discarded_objects', schedule: '@every 10m', run: deleteDiscarded },
]

/** Nothing is deleted during a backup, however long it takes: the rows stay until the next run. */
async function deleteDiscarded(ctx: Context): Promise<void> {
  for (let doomed = AT_ONCE; doomed === AT_ONCE; ) {
    const keys = await transact(ctx, doom)
    for (const key of keys) await deleteObject(ctx, key)
    await sql`delete from discarded_object where key = any(${keys}::text[])`.execute(ctx.db)
    doomed = keys.length
  }
}

async function doom(ctx: TxContext): Promise<string[]> {
  if (await isBackupUnderWay(ctx.db)) return []
  const before = new Date(ctx.now().getTime() - KEPT_MS)
  const { rows } = await sql<{ key: string }>`update discarded_object set is_doomed = true where key in (
      select key from discarded_object where since < ${before} order by since limit ${AT_ONCE}
      for update skip locked)
    returning key`.execute(ctx.db)
  return rows.map(({ key }) => key)
}

/** An object that cannot be deleted is retried a day later, so that it does not block others; this run ends. */
async function deleteObject(ctx: Context, key: string): Promise<void> {
  try {
    await ctx.store.delete(key)
  } catch (error) {
    await sql`update discarded_object set since = ${ctx.now()} where key = ${key}`.execute(ctx.db)
    throw error
  }
}

/** Jobs added by nodes of the previous version. */
export const discardJobs: readonly JobKind[] = [
  {
    name: 'discard_objects',
    run: (ctx, payload) => transact(ctx, (ctx) => discardObjects(ctx, (payload as { keys: string[] }).keys)),
  },
]
