/** The tables of the audit log. */
import type { Generated, GeneratedAlways, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    audit_record: AuditRecordTable
    audit_refusal: { network: string; minute: Date; refused: number }
    audit_seal: AuditSealTable
    audit_chain: { is_only: boolean; key: string; closing_id: number; closing_xid: string }
  }
}

/** `unchanged`: the operation succeeded without a transaction that writes. `failed`: an error of the server. */
export type Outcome = 'done' | 'unchanged' | 'refused' | 'failed'

interface AuditRecordTable {
  id: GeneratedAlways<number>
  at: Date
  operation: string
  outcome: Outcome
  /** The kind of the problem that refused it. */
  problem: string | null
  /** The account of the credential; null for deploy keys, runners and anonymous clients. */
  account_id: number | null
  account: string | null
  /** The account that an administrator acted as, by sudo. */
  as_id: number | null
  as_account: string | null
  via: string
  /** Which token, session or key. */
  credential: string | null
  address: string | null
  request_id: string | null
  node: string
  repository_id: number | null
  /** The account that the operation was about, or the owner of the repository. */
  owner_id: number | null
  /** Path parameters, as JSON. */
  target: string
  times: number
}
export type AuditRecord = Selectable<AuditRecordTable>

interface AuditSealTable {
  id: GeneratedAlways<number>
  from_id: number
  to_id: number
  records: number
  mac: string
  anchor_mac: Generated<string | null>
  sealed_at: Date
}
export type AuditSeal = Selectable<AuditSealTable>
