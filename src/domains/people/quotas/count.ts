/**
 * Counts the bytes of owners in the transaction that adds or removes them. The row of an owner and kind is shared by all
 * writers, so it is changed at the end of the transaction: others wait for no more than its COMMIT.
 */
import { sql } from 'kysely'
import { beforeCommit, type TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { Problem } from '#platform/problem'
import { isOver, limitOf, type UsageKind } from './decide.ts'
import type { UsageRow } from './tables.ts'

export interface CountedBytes {
  readonly ownerId: number
  readonly kind: UsageKind
  /** Negative for bytes that are removed. */
  readonly bytes: number
  /** How bytes over the limit are refused. Absent: they are counted all the same. */
  readonly refusal?: 'too_large' | 'forbidden'
}

const counted = new WeakMap<Tx, CountedBytes[]>()

/** Over the limit, the transaction fails at its end. Of two that are concurrent, one waits for the other. */
export function countBytes(ctx: TxContext, change: CountedBytes): void {
  if (change.bytes === 0) return
  const others = counted.get(ctx.db)
  if (others !== undefined) return void others.push(change)
  const changes = [change]
  counted.set(ctx.db, changes)
  beforeCommit(ctx, () => write(ctx, changes))
}

async function write(ctx: TxContext, changes: readonly CountedBytes[]): Promise<void> {
  // What is counted from now on is written by another call.
  counted.delete(ctx.db)
  const sums = [...Map.groupBy(changes, ({ ownerId, kind }) => `${ownerId} ${kind}`).values()].map(sumOf)
  const columns = {
    owners: sums.map(({ ownerId }) => ownerId),
    kinds: sums.map(({ kind }) => kind),
    bytes: sums.map(({ bytes }) => bytes),
  }
  // In one order for all writers, so that none wait for each other in a circle. The owner may be deleted by now.
  const { rows } = await sql<UsageRow>`insert into account_usage as used (account_id, kind, bytes)
    select account.id, added.kind, added.bytes
    from unnest(${columns.owners}::bigint[], ${columns.kinds}::text[], ${columns.bytes}::bigint[])
      as added (owner_id, kind, bytes)
    join account on account.id = added.owner_id order by account.id, added.kind
    on conflict (account_id, kind) do update set bytes = used.bytes + excluded.bytes
    returning account_id, kind, bytes, bytes_max`.execute(ctx.db)
  for (const { account_id, kind, bytes, bytes_max } of rows) {
    const sum = sums.find((it) => it.ownerId === account_id && it.kind === kind)
    if (sum?.refusal === undefined) continue
    const limit = limitOf(ctx.config, kind, bytes_max)
    if (isOver({ bytes, added: sum.bytes, limit }))
      throw new Problem(sum.refusal, REFUSALS[kind], { bytes, limit })
  }
}

const REFUSALS: Record<UsageKind, string> = {
  git: 'quota exceeded: git storage of the owner is full',
  packages: 'quota exceeded: package storage of the owner is full',
  artifacts: 'quota exceeded: artifact storage of the owner is full',
  logs: 'quota exceeded: log storage of the owner is full',
  attachments: 'quota exceeded: attachment storage of the owner is full',
  lfs: 'quota exceeded: Git LFS storage of the owner is full',
}

function sumOf(changes: readonly CountedBytes[]): CountedBytes {
  const [first] = changes as readonly [CountedBytes]
  const bytes = changes.reduce((sum, it) => sum + it.bytes, 0)
  const refusal = changes.find((it) => it.refusal !== undefined)?.refusal
  return { ...first, bytes, ...(refusal && { refusal }) }
}
