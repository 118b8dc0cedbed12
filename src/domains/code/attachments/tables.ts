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
  /** The owner. All three are null while the file is uploaded, and once it is detached. */
  release_id: number | null
  issue_id: number | null
  comment_id: number | null
  name: string
  bytes: number
  /** The image type by the first bytes, for types that browsers draw; empty for all other files. */
  picture_type: string
  downloads: Generated<number>
  uploader_id: number | null
  created_at: Date
}

export type AttachmentRow = Selectable<AttachmentTable>
