/** The table of attachments. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    attachment: AttachmentTable
  }
}

interface AttachmentTable {
  id: Generated<number>
  uuid: string
  /** What it is attached to; none: still on its way, or to be swept. */
  release_id: number | null
  issue_id: number | null
  comment_id: number | null
  name: string
  bytes: number
  /** Of pictures that browsers draw, by their first bytes; empty for everything else. */
  picture_type: string
  downloads: Generated<number>
  uploader_id: number | null
  created_at: Date
}

export type AttachmentRow = Selectable<AttachmentTable>
