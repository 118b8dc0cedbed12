/** The tables of contents. Refs and objects are in git storage. */
import type { Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    deleted_branch: DeletedBranchTable
  }
}

interface DeletedBranchTable {
  repository_id: number
  name: string
  oid: string
  deleted_by_id: number | null
  deleted_at: Date
}

export type DeletedBranchRow = Selectable<DeletedBranchTable>
