/** The audit record of one operation, as transactions and slices see it. `#domains/instance/audit` writes it. */
import type { Tx } from '#platform/db'
import type { ProblemKind } from '#platform/problem'

export type TransactionEnd = 'committed' | 'rolled back' | 'unknown'

export interface AuditEntry {
  /** Inserts the record, unless it exists or the transaction has changed nothing. The last statement of a transaction. */
  writeIn(tx: Tx): Promise<void>
  /** Called after each transaction, so that a record that was rolled back is written by the next one. */
  ended(tx: Tx, end: TransactionEnd): void
  /** The account that a sign-in has identified. */
  identify(account: { readonly id: number; readonly login: string }): void
  /** The operation answers a refusal without throwing it: a wrong password, a push whose refs are all refused. */
  refuse(kind: ProblemKind): void
  /** The record of an operation that this one calls. Undefined: that operation is not audited. */
  of(operation: string): AuditEntry | undefined
  /** What the caller may see on the way to the proof: the target of an operation that is refused then. */
  passed(seen: object): void
  /** What the operation is about: what `open` returned, and its path parameters. */
  about(opened: unknown, params?: unknown): void
  /** Called when the operation has ended: writes the record of an operation that changed nothing. */
  finish(error?: unknown): Promise<void>
}
