/** Pull requests that were merged between two revisions, for release notes. */
import { listCommits, resolveRevision } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { PullTracker } from './open-pull.ts'

export interface MergedPull {
  readonly number: number
  readonly title: string
  /** Null when the account was deleted. */
  readonly author: string | null
}

/** Further commits are not looked at. */
const PAGES_MAX = 5
const PAGE = 1_000
const PULLS_MAX = 500

/** By number. Without `base`, those that `head` contains at all. */
export async function listMergedBetween(
  ctx: Context,
  { id, storage_id }: PullTracker,
  { base, head }: { readonly base?: string | undefined; readonly head: string },
): Promise<MergedPull[]> {
  const resolve = async (name: string) => {
    const { oid } = (await resolveRevision(ctx, storage_id, name)) ?? {}
    if (oid === undefined) throw notFound('revision', name)
    return oid
  }
  const start = await resolve(head)
  const not = base === undefined ? [] : [await resolve(base)]
  const commits: string[] = []
  for (let page = 0; page < PAGES_MAX && commits.length === page * PAGE; page++) {
    const wanted = { skip: page * PAGE, limit: PAGE, withStats: false, withFiles: false }
    commits.push(...(await listCommits(ctx, storage_id, { start, not }, wanted)).map(({ oid }) => oid))
  }
  return ctx.db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .leftJoin('account', 'account.id', 'issue.author_id')
    .select(['issue.number', 'issue.title', 'account.login as author'])
    .where('pull_request.repository_id', '=', id)
    .where('pull_request.merge_commit', 'in', commits)
    .where('issue.is_hidden', '=', false)
    .orderBy('issue.number')
    .limit(PULLS_MAX)
    .execute()
}
