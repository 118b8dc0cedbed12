/**
 * Seals records in the background, so that writers never wait for each other. Ids are assigned before transactions end, and
 * transactions end in any order: a range of ids is closed when every transaction that could have an id in it has ended.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { must } from '#platform/must'
import type { Seal, SealedColumn } from '#platform/seal'
import type { AuditRecord, AuditSeal } from '../tables.ts'
import { macOf } from './canonical.ts'

const PURPOSE = 'audit chain'
/** The key is random and encrypted by `secrets.keys`, so it survives their rotation. */
export const SEALED_KEY: SealedColumn = { table: 'audit_chain', column: 'key', purpose: PURPOSE }
const KEY_BYTES = 32
const RECORDS_MAX = 5_000

/** Run by cron, every minute. A range that is not closed yet is sealed by a later run. */
export async function sealRecords(ctx: Context): Promise<void> {
  const closed = await closeRange(ctx)
  while (closed !== undefined && (await sealSome(ctx, closed)));
}

/** The id up to which no record can appear any more, and the next range to wait for. */
function closeRange(ctx: Context): Promise<number | undefined> {
  return transact(ctx, async (ctx) => {
    await begin(ctx)
    const { rows } = await sql<{ closing_id: number; is_closed: boolean }>`
      select closing_id, pg_snapshot_xmin(pg_current_snapshot()) >= closing_xid
        -- A restored database counts transactions anew; those of the former one have all ended.
        or pg_snapshot_xmax(pg_current_snapshot()) < closing_xid as is_closed
      from audit_chain for update`.execute(ctx.db)
    const { closing_id, is_closed } = must(rows[0], 'the row is there')
    if (!is_closed) return undefined
    // Invariant: two statements. Transactions with an id from before the first have an xid from before the second.
    const last = await sql<{ id: number }>`
      select case when is_called then last_value else 0 end as id from audit_record_id_seq`.execute(ctx.db)
    await sql`
      update audit_chain set closing_id = ${must(last.rows[0], 'a sequence has a row').id},
        closing_xid = pg_snapshot_xmax(pg_current_snapshot())`.execute(ctx.db)
    return closing_id
  })
}

async function begin(ctx: TxContext): Promise<void> {
  const key = ctx.seal.seal(PURPOSE, randomBytes(KEY_BYTES).toString('hex'))
  await sql`
    insert into audit_chain (is_only, key, closing_id, closing_xid) values (true, ${key}, 0, '0')
    on conflict do nothing`.execute(ctx.db)
}

/** Whether there may be more. Two nodes that seal at once wait for each other here. */
function sealSome(ctx: Context, closedId: number): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const key = must(await findKey(ctx.db, ctx.seal, true), 'the chain has begun')
    const before = await findLastSeal(ctx.db)
    const from_id = (before?.to_id ?? 0) + 1
    const records = await selectRange(ctx.db, { from_id, to_id: closedId }).limit(RECORDS_MAX).execute()
    if (records.length === 0) return false
    const isWhole = records.length < RECORDS_MAX
    const to_id = isWhole ? closedId : must(records.at(-1), 'there are records').id
    const mac = macOf(key, before?.mac ?? '', { from_id, to_id }, records)
    const seal = { from_id, to_id, records: records.length, mac, sealed_at: ctx.now() }
    await ctx.db.insertInto('audit_seal').values(seal).execute()
    // A copy outside of the database: the newest seals could be deleted together with their records.
    ctx.log.info({ 'audit.from': from_id, 'audit.to': to_id, 'audit.mac': mac }, 'audit records sealed')
    return !isWhole
  })
}

/** Undefined before the first run. */
export async function findKey(db: Db, seal: Seal, locks = false): Promise<Buffer | undefined> {
  let query = db.selectFrom('audit_chain').select('key')
  if (locks) query = query.forUpdate()
  const row = await query.executeTakeFirst()
  return row && Buffer.from(seal.open(PURPOSE, row.key), 'hex')
}

export function findLastSeal(db: Db): Promise<AuditSeal | undefined> {
  return db.selectFrom('audit_seal').selectAll().orderBy('to_id', 'desc').limit(1).executeTakeFirst()
}

export function selectRange(
  db: Db,
  { from_id, to_id }: { readonly from_id: number; readonly to_id: number },
) {
  return db
    .selectFrom('audit_record')
    .selectAll()
    .where('id', '>=', from_id)
    .where('id', '<=', to_id)
    .orderBy('id')
    .$castTo<AuditRecord>()
}
