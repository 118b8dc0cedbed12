/** Backups in progress: while there is one, no bytes are deleted that the saved rows may name. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { Problem } from '#platform/problem'

declare module '#platform/db' {
  interface Tables {
    backup: { id: string; started_at: Date; expires_at: Date }
  }
}

/** A backup process that dies blocks deletion for this long. */
const ALIVE_S = 600
const BEAT_MS = 60_000
/** A finished backup leaves its row; a later backup deletes it. */
const KEPT_S = 86_400

/**
 * Runs `work` while nothing is deleted from the store, except bytes of objects discarded before: no row read from now on
 * names them.
 */
export async function duringBackup<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const id = randomUUID()
  await sql`delete from backup where expires_at < now() - make_interval(secs => ${KEPT_S})`.execute(ctx.db)
  await sql`insert into backup (id, expires_at)
    values (${id}, now() + make_interval(secs => ${ALIVE_S}))`.execute(ctx.db)
  const beat = setInterval(() => {
    stayAlive(ctx.db, id).catch((error: unknown) => ctx.log.error({ err: error }, 'backup heartbeat failed'))
  }, BEAT_MS)
  try {
    const result = await work()
    if (!(await stayAlive(ctx.db, id)))
      throw new Problem('unavailable', 'backup lost its heartbeat and cannot be trusted')
    return result
  } finally {
    clearInterval(beat)
    await sql`update backup set expires_at = now() where id = ${id}`.execute(ctx.db)
  }
}

/** False when the row expired meanwhile. */
async function stayAlive(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`update backup set expires_at = now() + make_interval(secs => ${ALIVE_S})
    where id = ${id} and expires_at > now() returning id`.execute(db)
  return rows.length > 0
}

/** Called before anything is discarded, in the same transaction if there is one. */
export async function isBackupUnderWay(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from backup where expires_at > now() limit 1`.execute(db)
  return rows.length > 0
}
