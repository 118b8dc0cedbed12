/** The tables of activity: acts, and the feeds they appear in. */
import type { Generated, Selectable } from 'kysely'
import type { Operation } from '#slices'

declare module '#platform/db' {
  interface Tables {
    activity: ActivityTable
    activity_feed: ActivityFeedTable
  }
}

interface ActivityTable {
  repository_id: number
  id: Generated<number>
  actor_id: number
  op_type: Operation
  ref_name: Generated<string>
  content: Generated<string>
  comment_id: Generated<number | null>
  is_private: boolean
  created_at: Date
}

/** Copies the columns of the act that decide whether it is shown. */
interface ActivityFeedTable {
  recipient_id: number
  created_at: Date
  activity_id: number
  repository_id: number
  actor_id: number
  is_private: boolean
}

export type ActivityRow = Selectable<ActivityTable>
