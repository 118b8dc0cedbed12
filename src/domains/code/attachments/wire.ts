/** REST records of attachments. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { AttachmentRow } from './tables.ts'

export const EditAttachment = Type.Object(
  { name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) },
  { title: 'EditAttachmentOptions' },
)
/** The query of an upload. */
export const UploadQuery = Type.Object({ name: Type.Optional(Type.String({ maxLength: 1024 })) })

export type Attachment = Static<typeof Attachment>
export const Attachment = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    size: Type.Integer(),
    download_count: Type.Integer(),
    created_at: Time,
    uuid: Type.String(),
    browser_download_url: Type.String(),
  },
  { title: 'Attachment' },
)

/** `address`: an alternative download URL. */
export function presentAttachment(row: AttachmentRow, site: Site, address?: string): Attachment {
  return {
    id: row.id,
    name: row.name,
    size: row.bytes,
    download_count: row.downloads,
    created_at: time(row.created_at),
    uuid: row.uuid,
    browser_download_url: address ?? `${site.url}/attachments/${row.uuid}`,
  }
}
