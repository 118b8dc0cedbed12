/** A carry says which rows of the source become which rows of one of our tables. */
import type { Context, TxContext } from '#platform/context'
import type { Installation } from '../source/app-ini.ts'
import type { SourceRow } from '../source/driver.ts'
import type { Source } from '../source/source.ts'

export interface Move {
  readonly ctx: Context
  readonly source: Source
  readonly installation: Installation
  /** Begins with 1. Later passes also delete rows that the source has deleted since. */
  readonly pass: number
  readonly facts: Facts
  tell(line: string): void
}

/** What steps of one run tell each other. */
export interface Facts {
  /** Names of the pictures that are stored. */
  readonly pictures: Set<string>
  /** Numbers of rows whose file is missing in the folders of the source. */
  readonly missing: Set<string>
  /** Files of the batch of attachments at hand, by uuid. */
  readonly attached: Map<string, { readonly bytes: number; readonly pictureType: string }>
}

export function newFacts(): Facts {
  return { pictures: new Set(), missing: new Set(), attached: new Map() }
}

/** A value as PostgreSQL reads it from JSON; bytes are written as `\x…`. */
export type Row = Readonly<Record<string, unknown>>

/** The reason why a row is not moved. */
export class Left {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

export interface Carry<Around = undefined> {
  readonly kind: 'carry'
  readonly name: string
  /** A table or a `select` with a column `id`, which is unique and positive. */
  readonly from: string
  /** Tables or columns that `from` needs; the step is empty where the release of the source lacks one. */
  readonly needs?: readonly string[]
  readonly into: string
  /** Columns that identify a row; `id` when absent. */
  readonly key?: readonly string[]
  /** Rows without an id of their own: a later pass deletes all of them first. */
  readonly isReplaced?: boolean
  /** SQL: which rows of `into` are not of this forge itself. */
  readonly foreign?: string
  /** Steps after it add rows of their own, so the report compares no numbers. */
  readonly isCompleted?: boolean
  /** Before the transaction: for bytes. */
  readonly before?: (move: Move, batch: readonly SourceRow[]) => Promise<void>
  readonly around?: (move: Move, ctx: TxContext, batch: readonly SourceRow[]) => Promise<Around>
  readonly rows: (row: SourceRow, move: Move, around: Around) => Row | readonly Row[] | Left
  readonly after?: (move: Move, ctx: TxContext, batch: readonly SourceRow[]) => Promise<void>
}

export interface Progress {
  readonly lastId: number
  readonly read: number
  readonly written: number
  readonly left?: ReadonlyMap<string, number>
}

export type Advance = (progress: Progress) => Promise<void>

/** Work that is no copy of rows; repeating it does no harm. */
export interface Task {
  readonly kind: 'task'
  readonly name: string
  /** `from`: where an earlier run stopped. `advance` is called after each part. */
  run(move: Move, from: number, advance: Advance): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: each carry has its own surroundings
export type Step = Carry<any> | Task

export function carry<Around = undefined>(
  parts: Omit<Carry<Around>, 'kind' | 'name'> & { name?: string },
): Carry<Around> {
  return { kind: 'carry', name: parts.name ?? `${parts.from} → ${parts.into}`, ...parts }
}
