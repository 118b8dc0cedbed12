/** The tables of packages. */
import type { Generated, JSONColumnType, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    package: PackageTable
    package_version: VersionTable
    package_blob: BlobTable
    package_file: FileTable
    package_upload: UploadTable
    package_object: ObjectTable
  }
}

/** Metadata that only its package type writes and reads. */
export type Facts = Readonly<Record<string, unknown>>

interface PackageTable {
  id: Generated<number>
  owner_id: number
  repository_id: number | null
  type: string
  name: string
  name_key: string
  properties: JSONColumnType<Facts, string | undefined, string>
  created_at: Date
}

interface VersionTable {
  id: Generated<number>
  package_id: number
  owner_id: number
  creator_id: number | null
  version: string
  version_key: string
  is_internal: Generated<boolean>
  metadata: JSONColumnType<Facts, string | undefined, string>
  created_at: Date
}

/** Hashes of a blob. */
export interface Hashes {
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
  readonly sha512: string
}

interface BlobTable extends Hashes {
  id: Generated<number>
  key: string
  bytes: number
  created_at: Date
}

interface FileTable {
  id: Generated<number>
  version_id: number
  blob_id: number
  name: string
  name_key: string
  created_at: Date
}

interface UploadTable {
  id: string
  owner_id: number
  name_key: string
  bytes: Generated<number>
  touched_at: Date
}

interface ObjectTable extends Hashes {
  key: string
  upload_id: string | null
  start: Generated<number>
  bytes: number
  created_at: Date
}

export type PackageRow = Selectable<PackageTable>
export type VersionRow = Selectable<VersionTable>
export type BlobRow = Selectable<BlobTable>
export type UploadRow = Selectable<UploadTable>
export type ObjectRow = Selectable<ObjectTable>
