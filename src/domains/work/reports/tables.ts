/** The table of abuse reports. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    abuse_report: AbuseReportTable
  }
}

export type Category = 'spam' | 'malware' | 'harassment' | 'illegal' | 'other'
export type Outcome = 'dismissed' | 'acted'

interface AbuseReportTable {
  id: Generated<number>
  reporter_id: number
  kind: 'account' | 'repository' | 'issue' | 'comment'
  target_id: number
  /** Who made it. */
  account_id: number | null
  repository_id: number | null
  /** Of its page. */
  path: string
  category: Category
  body: string
  created_at: Date
  /** Null while it is open. */
  outcome: Generated<Outcome | null>
  closer_id: Generated<number | null>
  closed_at: Generated<Date | null>
}

export type ReportRow = Selectable<AbuseReportTable>
