/** The table of releases. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    release: ReleaseTable
  }
}

interface ReleaseTable {
  id: Generated<number>
  repository_id: number
  tag: string
  /** The revision that the tag was, or will be, created from. */
  target: string
  title: string
  note: string
  is_draft: boolean
  is_prerelease: boolean
  author_id: number | null
  /** Name at the import source; empty for authors who have an account here. */
  original_author: Generated<string>
  created_at: Date
  published_at: Date | null
}

export type ReleaseRow = Selectable<ReleaseTable>
export type NewReleaseRow = Insertable<ReleaseTable>
export type ReleasePatch = Updateable<ReleaseTable>
