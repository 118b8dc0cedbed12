/** How far the move-in is, in its own tables. */
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import { OperatorError } from '#platform/operator-error'
import type { Move } from './carry/carry.ts'
import type { StepState } from './tables.ts'

/** Begins the next pass, or goes on with one that was broken off. Returns its number. */
export async function beginPass(ctx: Context, source: string): Promise<number> {
  return transact(ctx, async (ctx) => {
    const found = await ctx.db.selectFrom('move_in').selectAll().forUpdate().executeTakeFirst()
    if (found === undefined) {
      await assertEmpty(ctx)
      const row = {
        is_only: true,
        source,
        pass: 1,
        is_pass_done: false,
        started_at: ctx.now(),
        ended_at: null,
      }
      await ctx.db.insertInto('move_in').values(row).execute()
      return 1
    }
    if (found.source !== source)
      throw new OperatorError('another instance was moved into this forge; a forge takes only one')
    await assertUnused(ctx)
    if (!found.is_pass_done) return found.pass
    const pass = found.pass + 1
    await ctx.db.updateTable('move_in').set({ pass, is_pass_done: false }).execute()
    return pass
  })
}

export async function endPass(ctx: Context): Promise<void> {
  await transact(ctx, async (ctx) => {
    await ctx.db.updateTable('move_in').set({ is_pass_done: true, ended_at: ctx.now() }).execute()
  })
}

/** The rows of this forge have the ids of the other one, so both cannot be in it. */
async function assertEmpty({ db }: TxContext): Promise<void> {
  const account = await db.selectFrom('account').select('id').where('id', '>', 0).limit(1).executeTakeFirst()
  const repository = await db.selectFrom('repository').select('id').limit(1).executeTakeFirst()
  if (account !== undefined || repository !== undefined)
    throw new OperatorError('this forge has accounts or repositories; move into one that was never used')
}

/** A later pass writes what the source has: it would take back what people did here. */
async function assertUnused({ db }: TxContext): Promise<void> {
  const used = await sql<{ at: Date }>`
    select seen_at as at from web_session union all select at from audit_record limit 1`.execute(db)
  if (used.rows.length > 0)
    throw new OperatorError(
      'this forge is in use since the last pass; another pass would undo what people did',
    )
}

export async function claimStep({ ctx, pass }: Move, name: string): Promise<StepState> {
  return transact(ctx, async (ctx) => {
    const found = await ctx.db
      .selectFrom('move_in_step')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst()
    if (found !== undefined && found.pass === pass) return found
    const fresh = { name, pass, last_id: 0, read_rows: 0, written_rows: 0, is_done: false }
    const row = { ...fresh, left_out: '{}' as never }
    await ctx.db
      .insertInto('move_in_step')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute()
    return { ...fresh, left_out: {} }
  })
}

export async function addToStep(
  ctx: TxContext,
  name: string,
  made: { lastId: number; read: number; written: number; left: ReadonlyMap<string, number> },
): Promise<void> {
  await sql`update move_in_step set last_id = ${made.lastId}, read_rows = read_rows + ${made.read},
      written_rows = written_rows + ${made.written},
      left_out = (select coalesce(jsonb_object_agg(key, n), '{}') from (
        select key, sum(value::bigint) as n from (
          select key, value from jsonb_each_text(left_out)
          union all select key, value from jsonb_each_text(${JSON.stringify(Object.fromEntries(made.left))}::jsonb)
        ) as counted group by key) as summed)
    where name = ${name}`.execute(ctx.db)
}

export async function endStep(ctx: TxContext, name: string): Promise<void> {
  await ctx.db.updateTable('move_in_step').set({ is_done: true }).where('name', '=', name).execute()
}

export async function listSteps(ctx: Context): Promise<Map<string, StepState>> {
  const rows = await ctx.db.selectFrom('move_in_step').selectAll().execute()
  return new Map(rows.map((row) => [row.name, row]))
}
