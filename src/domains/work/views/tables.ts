/** The table of saved views. */
import type { Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    saved_view: SavedViewTable
  }
}

interface SavedViewTable {
  account_id: number
  name: string
  path: string
  /** Without the question mark; empty: the unfiltered list. */
  query: string
  created_at: Date
}

export type SavedView = Pick<Selectable<SavedViewTable>, 'name' | 'path' | 'query'>
