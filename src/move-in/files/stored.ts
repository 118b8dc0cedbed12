/** The objects that rows name, for the report. */
import { attachmentKey } from '#domains/code/attachments'
import { lfsKey } from '#domains/code/lfs'
import { packageKey } from '#domains/packages/packages'

export interface StoredFiles {
  readonly query: string
  readonly keyOf: (key: string) => string
}

export const STORED: readonly StoredFiles[] = [
  { query: 'select id, uuid::text as key, bytes from attachment', keyOf: attachmentKey },
  { query: 'select id, key::text as key, bytes from lfs_object', keyOf: lfsKey },
  { query: 'select id, key::text as key, bytes from package_blob', keyOf: packageKey },
]
