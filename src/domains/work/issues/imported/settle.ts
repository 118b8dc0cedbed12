/** SQL that gives imported issues and comments to an account, or takes them back. */
import { sql } from 'kysely'
import type { Tx } from '#platform/db'

/** The records of one author at the source, of ids after `after`. */
export interface AuthorBatch {
  readonly hostId: number
  readonly authorId: number
  /** Null: nobody here. */
  readonly accountId: number | null
  /** The account is suspended. */
  readonly isHidden: boolean
  readonly after: number
  readonly limit: number
}

export function settleIssues(tx: Tx, batch: AuthorBatch): Promise<number | undefined> {
  return settle(tx, 'issue', batch)
}

/** Comments, and the entries of reviews and of their comments on lines. */
export function settleComments(tx: Tx, batch: AuthorBatch): Promise<number | undefined> {
  return settle(tx, 'issue_comment', batch)
}

/** Returns the last id; undefined if none was left. */
async function settle(
  tx: Tx,
  table: 'issue' | 'issue_comment',
  { hostId, authorId, accountId, isHidden, after, limit }: AuthorBatch,
): Promise<number | undefined> {
  const rows = await tx
    .updateTable(table)
    .set({ author_id: accountId, is_hidden: isHidden })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom(table)
        .select('id')
        .where('import_host_id', '=', hostId)
        .where('original_author_id', '=', authorId)
        .where('id', '>', after)
        .where(sql<boolean>`author_id is distinct from ${accountId}::bigint`)
        .orderBy('id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute()
  return rows.length === 0 ? undefined : Math.max(...rows.map(({ id }) => id))
}
