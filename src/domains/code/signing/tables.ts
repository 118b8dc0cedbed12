/** The table of the signing key. */
import type { Generated, Insertable, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    signing_key: SigningKeyTable
  }
}

interface SigningKeyTable {
  /** Always true: the table holds one row. */
  is_only: Generated<boolean>
  public_key: string
  fingerprint: string
  sealed_private_key: string
  created_at: Date
}

export type SigningKeyRow = Selectable<SigningKeyTable>
export type NewSigningKeyRow = Insertable<SigningKeyTable>
