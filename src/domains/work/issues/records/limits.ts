/** Limits on strangers: a repository's interaction limit, and how much a user without write access opens in an hour. */
import { sql } from 'kysely'
import { interactionLimitOf, isGrantedTo, type Repository } from '#domains/code/repositories'
import { isJob } from '#domains/people/access'
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'

const HOUR_MS = 3_600_000
/** Accounts younger than this are new. */
const NEW_MS = 24 * HOUR_MS

/** Whether the interaction limit of the repository excludes the user. One query, and only while there is a limit. */
export async function isLimited(ctx: Context, repo: Repository, userId: number): Promise<boolean> {
  const limit = interactionLimitOf(repo, ctx.now())
  // A job may write here, or it could not interact at all.
  if (limit === null || (ctx.actor !== null && isJob(ctx.actor))) return false
  const { rows } = await sql<{ isGranted: boolean; hasContributed: boolean; since: Date }>`select
    ${isGrantedTo(userId, repo)} as "isGranted",
    exists (select 1 from issue where issue.author_id = ${userId} and issue.repository_id = ${repo.id}
      and issue.merged_at is not null) as "hasContributed",
    account.created_at as since from account where account.id = ${userId}`.execute(ctx.db)
  const [user] = rows
  if (user === undefined) return true
  if (user.isGranted) return false
  if (limit.group === 'collaborators_only') return true
  if (user.hasContributed) return false
  return limit.group === 'contributors_only' || ctx.now().getTime() - user.since.getTime() < NEW_MS
}

/**
 * Counts the issue that was just inserted too. Invariant: the caller holds the row of `issue_number`, so of concurrent
 * requests each sees the others.
 */
export async function assertWithinHour(ctx: TxContext, repo: Repository, authorId: number): Promise<void> {
  const most = ctx.config['issues.strangers_hourly_max']
  const { opened } = await ctx.db
    .selectFrom('issue')
    .select((eb) => eb.fn.countAll<number>().as('opened'))
    .where('author_id', '=', authorId)
    .where('repository_id', '=', repo.id)
    .where('created_at', '>', new Date(ctx.now().getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  if (opened > most)
    throw new Problem('too_many', 'you have opened too many issues and pull requests here, try again later', {
      retryAfterS: HOUR_MS / 1000,
    })
}
