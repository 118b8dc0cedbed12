/** Inserts records. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { AuditRecord } from '../tables.ts'

export type NewRecord = Omit<AuditRecord, 'id'>

const COLUMNS = [
  'at',
  'operation',
  'outcome',
  'problem',
  'account_id',
  'account',
  'as_id',
  'as_account',
  'via',
  'credential',
  'address',
  'request_id',
  'node',
  'repository_id',
  'owner_id',
  'target',
  'times',
] as const satisfies readonly (keyof NewRecord)[]

/**
 * Invariant: a transaction has its xid before its record gets an id. So once all transactions below an xid have ended, no
 * record with an id from before that moment can appear, and the range can be sealed.
 */
const BEGUN = sql`(select pg_current_xact_id() as xid offset 0) as begun where begun.xid is not null`
/** Selects a row if the transaction has an xid: if it has written something or locked a row. */
const HAS_WRITTEN = sql`(select 1) as one where pg_current_xact_id_if_assigned() is not null`

/** In a transaction that has changed something; whether it has. */
export function insertIfWritten(tx: Tx, record: NewRecord): Promise<boolean> {
  return insert(tx, record, HAS_WRITTEN)
}

export function insertRecord(db: Db, record: NewRecord): Promise<boolean> {
  return insert(db, record, BEGUN)
}

/** Refused sign-ins of one network in one minute that have a record each. */
export const REFUSALS_MAX = 10

/** Counts the refusal, and inserts its record unless the network has too many in this minute. */
export function insertRefusal(db: Db, record: NewRecord, network: string): Promise<boolean> {
  return insert(
    db,
    record,
    sql`counted where counted.refused <= ${REFUSALS_MAX}`,
    sql`with counted as (
      insert into audit_refusal (network, minute, refused)
      values (${network}, date_trunc('minute', ${record.at}::timestamptz), 1)
      on conflict (network, minute) do update set refused = audit_refusal.refused + 1 returning refused) `,
  )
}

async function insert(
  db: Db,
  record: NewRecord,
  source: RawBuilder<unknown>,
  before: RawBuilder<unknown> = sql``,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${before}insert into audit_record (${sql.raw(COLUMNS.join(', '))})
    select ${record.at}::timestamptz, ${record.operation}::text, ${record.outcome}::text, ${record.problem}::text,
      ${record.account_id}::bigint, ${record.account}::text, ${record.as_id}::bigint, ${record.as_account}::text,
      ${record.via}::text, ${record.credential}::text, ${record.address}::text, ${record.request_id}::text,
      ${record.node}::text, ${record.repository_id}::bigint, ${record.owner_id}::bigint, ${record.target}::text,
      ${record.times}::bigint
    from ${source}`.execute(db)
  return numAffectedRows === 1n
}
