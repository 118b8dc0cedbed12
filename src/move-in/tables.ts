/** The tables of the move-in: how far it is. */
import type { Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    move_in: MoveInTable
    move_in_step: StepTable
  }
}

interface MoveInTable {
  is_only: boolean
  /** Which instance: another one is refused. */
  source: string
  pass: number
  is_pass_done: boolean
  started_at: Date
  ended_at: Date | null
}

interface StepTable {
  name: string
  pass: number
  /** The step goes on after this id of the source. */
  last_id: number
  read_rows: number
  written_rows: number
  /** Number of rows that were not moved, by reason. */
  left_out: Readonly<Record<string, number>>
  is_done: boolean
}

export type StepState = Selectable<StepTable>
