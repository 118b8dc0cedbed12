/** The tables of releases. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    release: ReleaseTable
    release_asset: AssetTable
  }
}

interface ReleaseTable {
  id: Generated<number>
  repository_id: number
  tag: string
  /** What the tag was, or will be, made from. */
  target: string
  title: string
  note: string
  is_draft: boolean
  is_prerelease: boolean
  author_id: number | null
  created_at: Date
  published_at: Date | null
}

interface AssetTable {
  id: Generated<number>
  uuid: string
  /** None: still on its way, or to be swept. */
  release_id: number | null
  name: string
  bytes: number
  downloads: Generated<number>
  uploader_id: number | null
  created_at: Date
}

export type ReleaseRow = Selectable<ReleaseTable>
export type NewReleaseRow = Insertable<ReleaseTable>
export type ReleasePatch = Updateable<ReleaseTable>
export type AssetRow = Selectable<AssetTable>
