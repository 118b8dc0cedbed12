/**
 * Attachments: files that users add to releases, issues and comments. The slice that owns the release, issue or comment
 * decides who may read them (`attachables` of its manifest).
 */
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { servingRoutes } from './serve.ts'
import { sweepAttachments } from './sweep.ts'

export {
  attach,
  attachImported,
  countDeletedFiles,
  detach,
  getAttachment,
  renameAttachment,
} from './attach.ts'
export { serveAttachment } from './serve.ts'
export { findByName, holdStored, listAttachments, type Owner } from './store.ts'
export {
  type Fill,
  keyOf as attachmentKey,
  type Rules,
  rulesForTexts,
  storeFile,
  takeUpload,
} from './store-file.ts'
export type { AttachmentRow } from './tables.ts'
export { Attachment, EditAttachment, presentAttachment, UploadQuery } from './wire.ts'

export const slice = defineSlice({
  name: 'attachments',
  tables: ['attachment'],
  routes: servingRoutes,
  tasks: [{ name: 'sweep_attachments', schedule: '@every 1h', run: sweepAttachments }],
  settings: SETTINGS,
})
