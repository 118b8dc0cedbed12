/**
 * Circuit breakers: after several failures in a row a circuit opens for a while, and deliveries wait. Then one delivery
 * probes the target, and its outcome closes the circuit or keeps it open.
 *
 * A hook's circuit counts every kind of failure. A host's circuit counts only unreachable targets: all hooks on a dead
 * host share it, while a hook that gets error responses does not affect others on the same host.
 */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { FAILURES_BEFORE_REST, PROBE_MS, REST_MAX_MS, REST_MIN_MS } from '../limits.ts'

export interface Circuits {
  readonly hook: string
  readonly host: string
}

/** `forbidden`: our outbound policy refused the request, which says nothing about the target. */
export type Outcome = 'delivered' | 'refused' | 'unreachable' | 'forbidden'

export function circuitsOf(hookId: number, url: string): Circuits {
  return { hook: `hook:${hookId}`, host: `host:${URL.parse(url)?.host ?? ''}` }
}

export interface Permit {
  /** 0: send now. */
  readonly waitMs: number
  /** The circuit was open, and this attempt decides whether it closes. */
  readonly isProbe: boolean
}

/** When the wait of an open circuit is over, one caller gets the probe; the others wait for its outcome. */
export async function acquire(ctx: Context, circuits: Circuits): Promise<Permit> {
  const isTroubled = (await selectOpen(ctx.db, circuits).execute()).length > 0
  if (!isTroubled) return { waitMs: 0, isProbe: false }
  return transact(ctx, async (ctx) => {
    const now = ctx.now().getTime()
    const rows = await selectOpen(ctx.db, circuits).orderBy('key').forUpdate().execute()
    const waitMs = Math.max(0, ...rows.map((row) => (row.open_until?.getTime() ?? now) - now))
    const isProbe = waitMs === 0 && rows.length > 0
    if (isProbe)
      await ctx.db
        .updateTable('webhook_circuit')
        .set({ open_until: new Date(now + PROBE_MS), updated_at: ctx.now() })
        .where(
          'key',
          'in',
          rows.map(({ key }) => key),
        )
        .execute()
    return { waitMs, isProbe }
  })
}

export async function noteOutcome(
  ctx: TxContext,
  { hook, host }: Circuits,
  outcome: Outcome,
  isProbe: boolean,
): Promise<void> {
  if (outcome === 'forbidden') return
  if (outcome === 'delivered') return closeCircuits(ctx, [hook, host])
  if (outcome === 'unreachable') return countFailures(ctx, [hook, host], isProbe)
  await closeCircuits(ctx, [host])
  await countFailures(ctx, [hook], isProbe)
}

/** Resets the failures, for example after the hook was edited. */
export async function closeCircuits(ctx: TxContext, keys: readonly string[]): Promise<void> {
  await ctx.db
    .deleteFrom('webhook_circuit')
    .where('key', 'in', [...keys])
    .execute()
}

function selectOpen(db: Db, { hook, host }: Circuits) {
  return db
    .selectFrom('webhook_circuit')
    .select(['key', 'open_until'])
    .where('key', 'in', [hook, host])
    .where('open_until', 'is not', null)
}

/** Failures of requests that began before the circuit opened do not extend its wait; only the probe's does. */
async function countFailures(ctx: TxContext, keys: readonly string[], isProbe: boolean): Promise<void> {
  const failures = sql`webhook_circuit.failures + 1`
  const restMs = sql`least(${REST_MAX_MS}::bigint, ${REST_MIN_MS}::bigint
    * power(2, least(${failures} - ${FAILURES_BEFORE_REST}::bigint, 20))::bigint)`
  for (const key of keys)
    await sql`insert into webhook_circuit (key, failures, updated_at) values (${key}, 1, ${ctx.now()})
      on conflict (key) do update set failures = ${failures}, updated_at = excluded.updated_at,
        open_until = case when ${failures} >= ${FAILURES_BEFORE_REST}::bigint
          then excluded.updated_at + ${restMs} * interval '1 millisecond' end
      where ${isProbe}::boolean or webhook_circuit.open_until is null`.execute(ctx.db)
}

/** Deletes circuits that have not been used since `before`. */
export async function sweepCircuits(ctx: TxContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('webhook_circuit').where('updated_at', '<', before).execute()
}
