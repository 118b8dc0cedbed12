/** What every act of writing hands back. */

/** What became of a ref. */
export interface RefMove {
  readonly ref: string
  /** null: it did not exist. */
  readonly before: string | null
  readonly oid: string
}
