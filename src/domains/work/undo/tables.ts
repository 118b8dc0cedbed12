/** The table of acts that can be undone. */
import type { Generated, JSONColumnType } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    undo: UndoTable
  }
}

/** What was done, with all that is needed to take it back. */
export type Act =
  | { readonly kind: 'branch'; readonly owner: string; readonly repo: string; readonly name: string }
  | {
      readonly kind: 'closed'
      readonly owner: string
      readonly repo: string
      readonly index: number
      readonly is_pull: boolean
    }
  | {
      readonly kind: 'collaborator'
      readonly owner: string
      readonly repo: string
      readonly login: string
      readonly permission: 'read' | 'write' | 'admin'
    }
  | { readonly kind: 'member'; readonly team_id: number; readonly team: string; readonly login: string }

interface UndoTable {
  id: Generated<number>
  account_id: number
  act: JSONColumnType<Act>
  created_at: Date
}
