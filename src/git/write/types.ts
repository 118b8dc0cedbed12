/** What every act of writing is handed, and what it hands back. */
import type { Context } from '#platform/context'
import type { RefsChange } from '../push/commit.ts'
import type { RefResult } from '../refs/update.ts'

/** The same road as a push: one transaction for refs, packs and whatever must happen with them. */
export type Commit = (ctx: Context, change: RefsChange) => Promise<RefResult[]>

/** What became of a ref. */
export interface Landed {
  readonly ref: string
  /** null: it did not exist. */
  readonly before: string | null
  readonly oid: string
}
