/** The table of quotas. */
import type { Generated, Selectable } from 'kysely'
import type { UsageKind } from './decide.ts'

declare module '#platform/db' {
  interface Tables {
    account_usage: AccountUsageTable
  }
}

interface AccountUsageTable {
  account_id: number
  kind: UsageKind
  bytes: Generated<number>
  /** Null for the limit of the settings, -1 for none. */
  bytes_max: Generated<number | null>
}
export type UsageRow = Selectable<AccountUsageTable>
