/** Which pull requests wait for a review by the caller, as the search for them has it: one query for all of them. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { isAskedOf } from './filter.ts'

/** Of those that the caller has been shown. */
export async function findAsked(
  { db, actor }: Context,
  issueIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (actor === null) return new Set()
  const rows = await db
    .selectFrom('issue')
    .select('issue.id')
    .where('issue.id', '=', sql<number>`any(${[...issueIds]}::bigint[])`)
    .where('issue.is_closed', '=', false)
    .where(isAskedOf(actor.id))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
