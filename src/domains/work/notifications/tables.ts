/** The tables of notifications. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    notification: NotificationTable
    notification_mail: NotificationMailTable
  }
}

export const STATUSES = ['unread', 'read', 'pinned'] as const
export type Status = (typeof STATUSES)[number]

/**
 * Why a user is notified. The first four name the user, and are not replaced by later events until the thread is read.
 */
export type Reason =
  | 'mentioned'
  | 'assigned'
  | 'review_requested'
  | 'offered'
  | 'author'
  | 'commented'
  | 'subscribed'
  | 'watching'

interface NotificationTable {
  id: Generated<number>
  user_id: number
  repository_id: number
  issue_id: number | null
  status: Status
  /** null for rows older than the column. */
  reason: Reason | null
  created_at: Date
  updated_at: Date
}

/** What a mail reports. */
export type MailKind =
  | 'created'
  | 'commented'
  | 'closed'
  | 'reopened'
  | 'assigned'
  | 'offered'
  | 'pushed'
  | 'ready'
  | 'merged'
  | 'review_requested'
  | 'approved'
  | 'rejected'
  | 'reviewed'
  | 'review_dismissed'

/** Mail to be sent. */
interface NotificationMailTable {
  id: Generated<number>
  user_id: number
  repository_id: number
  issue_id: number | null
  comment_id: number | null
  kind: MailKind
  actor_id: number | null
  is_personal: boolean
  created_at: Date
  /** From then on the mail may have been delivered, and is not sent again. */
  begun_at: Date | null
}

export type ThreadRow = Selectable<NotificationTable>
