/** The table of notifications. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    notification: NotificationTable
  }
}

export const STATUSES = ['unread', 'read', 'pinned'] as const
export type Status = (typeof STATUSES)[number]

interface NotificationTable {
  id: Generated<number>
  user_id: number
  repository_id: number
  issue_id: number | null
  status: Status
  created_at: Date
  updated_at: Date
}

export type ThreadRow = Selectable<NotificationTable>
