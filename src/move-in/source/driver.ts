/** What a database of the source gives. */

/** A value as its driver returns it; `fields.ts` reads it. */
export type Value = string | number | bigint | boolean | Uint8Array | Date | null
export type SourceRow = Readonly<Record<string, Value>>

export interface Driver {
  /** Standard SQL with names in double quotes; a constant text but for numbers. */
  rows(sql: string): Promise<SourceRow[]>
  close(): Promise<void>
}
