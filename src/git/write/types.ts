/** Results of write operations. */

/** The outcome for a ref. */
export interface RefMove {
  readonly ref: string
  /** Null: it did not exist. */
  readonly before: string | null
  readonly oid: string
}
