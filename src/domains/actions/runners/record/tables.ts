/** The tables of runners. */
import type { Generated, Insertable, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    action_runner: RunnerTable
    action_runner_token: RunnerTokenTable
  }
}

interface RunnerTable {
  id: Generated<number>
  uuid: string
  token_digest: Buffer
  /** Of a runner that was moved in and has not called since. */
  old_hash: Generated<string | null>
  name: string
  version: Generated<string>
  /** Both null: the runner takes jobs of every repository. */
  owner_id: number | null
  repository_id: number | null
  labels: Generated<string[]>
  capabilities: Generated<string[]>
  is_ephemeral: Generated<boolean>
  is_disabled: Generated<boolean>
  online_at: Date | null
  active_at: Date | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}
export type RunnerRow = Selectable<RunnerTable>
export type NewRunnerRow = Insertable<RunnerTable>

interface RunnerTokenTable {
  id: Generated<number>
  owner_id: number | null
  repository_id: number | null
  digest: Buffer
  sealed: string
  is_active: Generated<boolean>
  created_at: Date
}
export type RunnerTokenRow = Selectable<RunnerTokenTable>
