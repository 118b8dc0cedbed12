/** Whose turn it is on pull requests that the caller has been shown: one query for all of them. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'

/** `changes`: asked for, and nothing was pushed since. `approved`: by somebody, and nobody asks for changes. */
export type Turn = 'changes' | 'approved'

export async function findTurns(
  { db }: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, Turn>> {
  if (issueIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('review')
    .select((eb) => [
      'issue_id',
      eb
        .fn<boolean>('bool_or', [eb.and([eb('kind', '=', 'reject'), eb('is_stale', '=', false)])])
        .as('is_rejected'),
      eb.fn<boolean>('bool_or', [eb('kind', '=', 'approve')]).as('is_approved'),
    ])
    .where('issue_id', '=', sql<number>`any(${[...issueIds]}::bigint[])`)
    .where('kind', 'in', ['approve', 'reject'])
    .where('is_dismissed', '=', false)
    .groupBy('issue_id')
    .execute()
  return new Map(
    rows.flatMap(({ issue_id, is_rejected, is_approved }): [number, Turn][] => {
      if (is_rejected) return [[issue_id, 'changes']]
      return is_approved ? [[issue_id, 'approved']] : []
    }),
  )
}
