/** The table of acts that can be undone. */
import type { Generated, JSONColumnType } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    undo: UndoTable
  }
}

/** What was done, with all that is needed to take it back. Names are shown; ids say whom and what it was about. */
export type Act =
  | (InRepository & { readonly kind: 'branch'; readonly name: string })
  | (InRepository & { readonly kind: 'closed'; readonly index: number; readonly is_pull: boolean })
  | (InRepository &
      AboutAccount & { readonly kind: 'collaborator'; readonly permission: 'read' | 'write' | 'admin' })
  | (AboutAccount & { readonly kind: 'member'; readonly team_id: number; readonly team: string })

interface InRepository {
  readonly repository_id: number
  readonly owner: string
  readonly repo: string
}

interface AboutAccount {
  readonly account_id: number
  readonly login: string
}

interface UndoTable {
  id: Generated<number>
  account_id: number
  act: JSONColumnType<Act>
  created_at: Date
}
