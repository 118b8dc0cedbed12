/**
 * Circuit breakers: after several failures in a row a circuit is open for a while, and deliveries wait. Then one delivery
 * is tried; whether the others follow depends on what comes of it.
 *
 * A hook has one, for every kind of failure. A host has one, for not answering at all: so a dead machine is noticed by
 * all hooks that point to it, and a hook that is refused does not harm others on the same machine.
 */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { FAILURES_BEFORE_REST, PROBE_MS, REST_MAX_MS, REST_MIN_MS } from '../limits.ts'

export interface Circuits {
  readonly hook: string
  readonly host: string
}

/** Forbidden is what we do not do ourselves: it says nothing about the target. */
export type Outcome = 'delivered' | 'refused' | 'unreachable' | 'forbidden'

export function circuitsOf(hookId: number, url: string): Circuits {
  return { hook: `hook:${hookId}`, host: `host:${URL.parse(url)?.host ?? ''}` }
}

export interface Permit {
  /** 0: it may be tried now. */
  readonly waitMs: number
  /** It was open, and this is the try that decides. */
  readonly isProbe: boolean
}

/** Of several that ask when its time is over, one may try; the others wait for what comes of it. */
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

/** Forgets what went wrong: somebody may have put it right. */
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

/** Those who were under way when the rest began say nothing new, and do not make it longer. */
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

/** Those of hooks and hosts that nobody has tried for long. */
export async function sweepCircuits(ctx: TxContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('webhook_circuit').where('updated_at', '<', before).execute()
}
