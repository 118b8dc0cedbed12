/** Runs one step in batches; each batch and its place are one transaction, so a killed step goes on where it was. */

import { sql } from 'kysely'
import { type TxContext, transact } from '#platform/context'
import type { SourceRow } from '../source/driver.ts'
import { id } from '../source/fields.ts'
import { addToStep, claimStep, endStep } from '../state.ts'
import { type Advance, type Carry, Left, type Move, type Step } from './carry.ts'
import { type Written, writeRows } from './write-rows.ts'

const BATCH = 500

// biome-ignore lint/suspicious/noExplicitAny: each carry has its own surroundings
type AnyCarry = Carry<any>

export async function runStep(move: Move, step: Step): Promise<void> {
  const state = await claimStep(move, step.name)
  if (state.is_done) return
  if (step.kind === 'task') {
    const advance: Advance = (progress) =>
      transact(move.ctx, (ctx) => addToStep(ctx, step.name, { left: new Map(), ...progress }))
    await step.run(move, state.last_id, advance)
    return transact(move.ctx, (ctx) => endStep(ctx, step.name))
  }
  await runCarry(move, step, state.last_id)
}

async function runCarry(move: Move, carry: AnyCarry, from: number): Promise<void> {
  if (!isThere(move, carry)) return transact(move.ctx, (ctx) => endStep(ctx, carry.name))
  if (carry.isReplaced && from === 0 && move.pass > 1)
    await transact(move.ctx, async (ctx) => {
      await sql`delete from ${sql.table(carry.into)}`.execute(ctx.db)
    })
  for (let lastId = from; ; ) {
    move.ctx.signal.throwIfAborted()
    const batch = await readBatch(move, carry, lastId)
    if (batch.length === 0) return transact(move.ctx, (ctx) => endStep(ctx, carry.name))
    await carry.before?.(move, batch)
    lastId = id(batch.at(-1)?.id) ?? lastId
    await transact(move.ctx, (ctx) => writeBatch(move, ctx, carry, batch, lastId))
  }
}

async function writeBatch(
  move: Move,
  ctx: TxContext,
  carry: AnyCarry,
  batch: readonly SourceRow[],
  lastId: number,
): Promise<void> {
  const around = await carry.around?.(move, ctx, batch)
  const made = batch.map((row) => carry.rows(row, move, around))
  const rows = made.flatMap((it) => (it instanceof Left ? [] : it))
  const { written, left }: Written = await writeRows(ctx.db, carry.into, carry.key ?? ['id'], rows)
  for (const it of made) if (it instanceof Left) left.set(it.reason, (left.get(it.reason) ?? 0) + 1)
  await carry.after?.(move, ctx, batch)
  await addToStep(ctx, carry.name, { lastId, read: batch.length, written, left })
}

export function isThere({ source }: Move, { from, needs = [] }: Carry): boolean {
  const tables = /^\w+$/.test(from) ? [from, ...needs] : needs
  return tables.every((name) => {
    const [table = '', column] = name.split('.')
    return source.has(table, column)
  })
}

function readBatch({ source }: Move, { from }: Carry, lastId: number): Promise<SourceRow[]> {
  return source.rows(
    `select * from ${fromOf(from)} where part.id > ${Math.trunc(lastId)} order by part.id limit ${BATCH}`,
  )
}

export function fromOf(from: string): string {
  return /^\w+$/.test(from) ? `"${from}" as part` : `(${from}) as part`
}
