/** The tables of Git LFS. */
import type { Generated, Selectable } from 'kysely'
import type { StorageId } from '#git'

declare module '#platform/db' {
  interface Tables {
    lfs_object: ObjectTable
    lfs_link: LinkTable
    lfs_lock: LockTable
    lfs_walk: WalkTable
  }
}

/** Stored once, whatever repositories use it. */
interface ObjectTable {
  id: Generated<number>
  /** SHA-256 of the bytes, in hexadecimal. */
  oid: string
  bytes: number
  key: string
  created_at: Date
}

/** Readers of the repository with this storage may download the object. */
interface LinkTable {
  storage_id: StorageId
  object_id: number
  /** Or when a client has last named an object that no ref needed. */
  created_at: Date
  /** Null while a ref needs the object, and before the first walk. */
  unreferenced_since: Generated<Date | null>
}

/** The last walk of a repository over its pointers. */
interface WalkTable {
  storage_id: StorageId
  stamp: string
  tips: string[]
  begun_at: Date
}

interface LockTable {
  id: Generated<number>
  repository_id: number
  path: string
  owner_id: number
  locked_at: Date
}

export type ObjectRow = Selectable<ObjectTable>
export type LockRow = Selectable<LockTable>
