/** SQL that gives imported issues and comments to an account, or takes them back. */
import { sql } from 'kysely'
import type { Tx } from '#platform/db'

/** The records of one author at the source, of ids after `after`. */
export interface AuthorBatch {
  readonly hostId: number
  readonly authorId: number
  /** Null: no account here is the author. */
  readonly accountId: number | null
  /** The account is suspended. */
  readonly isHidden: boolean
  readonly after: number
  readonly limit: number
}

export function settleIssues(tx: Tx, batch: AuthorBatch): Promise<number | undefined> {
  return settleRecords(tx, { table: 'issue', author: 'author_id' }, batch)
}

/** Comments, and the entries of reviews and of their comments on lines. */
export function settleComments(tx: Tx, batch: AuthorBatch): Promise<number | undefined> {
  return settleRecords(tx, { table: 'issue_comment', author: 'author_id' }, batch)
}

/** `author`: the column with the account. Returns the last id; undefined if none was left. */
export async function settleRecords(
  tx: Tx,
  names: { readonly table: string; readonly author: string },
  { hostId, authorId, accountId, isHidden, after, limit }: AuthorBatch,
): Promise<number | undefined> {
  const table = sql.table(names.table)
  const author = sql.ref(names.author)
  const { rows } = await sql<{ id: number }>`
    update ${table} set ${author} = ${accountId}::bigint, is_hidden = ${isHidden}::boolean where id in (
      select id from ${table} where import_host_id = ${hostId} and original_author_id = ${authorId}
        and id > ${after} and ${author} is distinct from ${accountId}::bigint
      order by id limit ${limit} for update)
    returning id`.execute(tx)
  return rows.length === 0 ? undefined : Math.max(...rows.map(({ id }) => id))
}
