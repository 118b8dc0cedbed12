/** Jobs that have used up their attempts: an operator can list and requeue them. */
import { sql } from 'kysely'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'

export interface DeadJob {
  readonly id: number
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
  readonly error: string | null
  readonly failed_at: Date
}

const LISTED_MAX = 1_000

export async function listDead(db: Db): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`
    select id, kind, payload, attempts, error, coalesce(failed_at, created_at) as failed_at
    from job where worker is null and attempts >= attempts_max order by id limit ${LISTED_MAX}`.execute(db)
  return rows
}

/** Resets the attempts of dead jobs, to be run at once; returns how many there were. */
export async function requeue(ctx: Context, ids: readonly number[]): Promise<number> {
  const { rows } = await transact(ctx, (ctx) =>
    sql<{ kind: string }>`
      update job set attempts = 0, run_at = now(), error = null, failed_at = null
      where id = any(${[...ids]}::bigint[]) and worker is null and attempts >= attempts_max
      returning kind`.execute(ctx.db),
  )
  for (const { kind } of rows) ctx.jobHints.added(kind, 0)
  return rows.length
}
