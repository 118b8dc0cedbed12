/**
 * Gives the imported records of an author to the account that the author is here, or takes them back, in batches. Nothing
 * else changes: no event, no notification, no time; who may read a record depends on its repository as before.
 */

import { shareAccount } from '#domains/people/users'
import { settleReviews } from '#domains/review/reviews'
import { settleComments, settleIssues } from '#domains/work/issues'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs } from '#platform/queue'
import { SETTLE_AUTHOR_JOB } from '../limits.ts'
import { type AuthorKey, shareAuthor } from './store.ts'

/** Rows of one transaction. 40,000 comments take 3.8 s on two busy cores. */
const BATCH = 500
const TABLES = [settleIssues, settleComments, settleReviews] as const

export async function orderSettling(ctx: TxContext, authors: readonly AuthorKey[]): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(
    ctx,
    authors.map((payload) => ({ kind: SETTLE_AUTHOR_JOB, payload, attemptsMax })),
  )
}

export async function settleAuthor(ctx: Context, payload: unknown): Promise<void> {
  const key = payload as AuthorKey
  for (const settle of TABLES)
    for (let after: number | undefined = 0; after !== undefined; )
      after = await settleSome(ctx, key, settle, after)
}

/** Returns the last id that was settled; undefined if none was left. */
function settleSome(
  ctx: Context,
  key: AuthorKey,
  settle: (typeof TABLES)[number],
  after: number,
): Promise<number | undefined> {
  ctx.signal.throwIfAborted()
  return transact(ctx, async (ctx) => {
    // Both stay as they are until the rows are written; a later change of the author adds another job.
    const author = await shareAuthor(ctx.db, key)
    if (author === undefined) return undefined
    const { account_id } = author
    const account = account_id === null ? undefined : await shareAccount(ctx.db, account_id)
    return settle(ctx.db, {
      hostId: key.host_id,
      authorId: key.author_id,
      accountId: account?.id ?? null,
      isHidden: account?.is_suspended ?? false,
      after,
      limit: BATCH,
    })
  })
}
