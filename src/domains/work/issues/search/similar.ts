/** Finds issues with titles similar to one being written, to avoid duplicates. */

import { type RawBuilder, sql } from 'kysely'
import type { Tracker } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { isShownIn } from '../records/hidden.ts'
import { mayRead } from '../records/open-issue.ts'
import type { IssueRow } from '../tables.ts'

/** Only the latest issues are compared, at about 12 µs each. */
const LOOKED_THROUGH = 1_000
const LETTERS_MIN = 4
const TITLE_MAX = 255
const LIKE_ENOUGH = 0.3
/** For a few words that occur in a longer title. */
const LIKE_ENOUGH_IN_PART = 0.55

export type SimilarIssue = Pick<IssueRow, 'number' | 'title' | 'is_closed'>

/** Most similar first. */
export async function findSimilar(
  ctx: Context,
  tracker: Tracker,
  title: string,
  most: number,
): Promise<SimilarIssue[]> {
  const asked = title.trim().toLowerCase().slice(0, TITLE_MAX)
  if (asked.length < LETTERS_MIN || !mayRead(tracker, false)) return []
  return selectSimilar(ctx.db, tracker.id, asked, isShownIn('issue', ctx)).limit(most).execute()
}

export function selectSimilar(db: Db, repositoryId: number, title: string, isShown: RawBuilder<boolean>) {
  const latest = db
    .selectFrom('issue')
    .select(['number', 'title', 'is_closed'])
    .where('repository_id', '=', repositoryId)
    .where('is_pull', '=', false)
    .where(isShown)
    .orderBy('number', 'desc')
    .limit(LOOKED_THROUGH)
  const whole = sql<number>`similarity(lower(latest.title), ${title})`
  const part = sql<number>`word_similarity(${title}, lower(latest.title))`
  return db
    .selectFrom(latest.as('latest'))
    .selectAll()
    .where((eb) => eb.or([eb(whole, '>=', LIKE_ENOUGH), eb(part, '>=', LIKE_ENOUGH_IN_PART)]))
    .orderBy(sql`${whole} + ${part}`, 'desc')
    .orderBy('number', 'desc')
}
