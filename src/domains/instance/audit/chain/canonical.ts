/** The text of a record that a seal authenticates, and the codes that authenticate. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AuditRecord } from '../tables.ts'

/** Every column, in a fixed order; changing it makes older seals invalid. */
export function canonicalText(record: AuditRecord): string {
  return JSON.stringify([
    record.id,
    record.at.toISOString(),
    record.operation,
    record.outcome,
    record.problem,
    record.account_id,
    record.account,
    record.as_id,
    record.as_account,
    record.via,
    record.credential,
    record.address,
    record.request_id,
    record.node,
    record.repository_id,
    record.owner_id,
    record.target,
    record.times,
  ])
}

export interface Range {
  readonly from_id: number
  readonly to_id: number
}

/** Of the seal before it, the range, and its records in the order of their ids. */
export function macOf(
  key: Buffer,
  before: string,
  { from_id, to_id }: Range,
  records: readonly AuditRecord[],
): string {
  const mac = createHmac('sha256', key).update(`${before}\n${from_id}\n${to_id}\n${records.length}\n`)
  for (const record of records) mac.update(`${canonicalText(record)}\n`)
  return mac.digest('hex')
}

/** Of the seal after which the chain begins, because the records before it have expired. */
export function anchorMacOf(
  key: Buffer,
  { to_id, mac }: { readonly to_id: number; readonly mac: string },
): string {
  return createHmac('sha256', key).update(`anchor\n${to_id}\n${mac}\n`).digest('hex')
}

export function isSameMac(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
