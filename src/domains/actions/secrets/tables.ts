/** The tables of secrets and variables. */
import type { Generated, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    action_secret: SecretTable
    action_variable: VariableTable
  }
}

/** Exactly one of the two is null. */
interface Of {
  owner_id: number | null
  repository_id: number | null
}

interface SecretTable extends Of {
  id: Generated<number>
  name: string
  sealed: string
  description: Generated<string>
  created_at: Date
}
export type SecretRow = Selectable<SecretTable>

interface VariableTable extends Of {
  id: Generated<number>
  name: string
  data: string
  description: Generated<string>
  created_at: Date
}
export type VariableRow = Selectable<VariableTable>
