/** Loads review comments with everything shown of them: a fixed number of queries. */

import type { Repository } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import type { PullRow, SeenPull } from '#domains/review/pulls'
import { pageOfIssue } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { hasSuggestion } from '../suggestions/suggestion.ts'
import { type Line, listLinesOf } from './store.ts'
import { type PullReviewComment, presentLine } from './wire.ts'

export async function showLines(
  ctx: Context,
  repo: Repository,
  pull: Pick<PullRow, 'number'>,
  lines: readonly Line[],
): Promise<PullReviewComment[]> {
  const around = {
    viewer: ctx.actor,
    accounts: await findAccountsById(
      ctx.db,
      lines.flatMap(({ author_id, resolver_id }) => [author_id ?? [], resolver_id ?? []].flat()),
    ),
    page: pageOfIssue({ number: pull.number, is_pull: true }, repo, ctx.site),
    site: ctx.site,
  }
  return lines.map((line) => presentLine(line, around))
}

export interface PullLine extends PullReviewComment {
  readonly hasSuggestion: boolean
}

/** All review comments of a pull request that the caller may see, oldest first. */
export async function showPullLines(ctx: Context, repo: Repository, pull: SeenPull): Promise<PullLine[]> {
  const lines = await listLinesOf(ctx.db, pull.issue_id, ctx.actor?.id ?? 0)
  const shown = await showLines(ctx, repo, pull, lines)
  return shown.map((it) => ({ ...it, hasSuggestion: hasSuggestion(it.body) }))
}
