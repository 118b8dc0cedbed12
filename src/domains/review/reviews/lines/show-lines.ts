/** Loads review comments with everything shown of them: a fixed number of queries. */

import type { Repository } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import type { PullRow, SeenPull } from '#domains/review/pulls'
import { pageOfIssue } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { splitSuggestion } from '../suggestions/suggestion.ts'
import { textsOf } from './cut-hunk.ts'
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
  /** How the comment suggests to change its lines, and its text before and after that. */
  readonly suggestion:
    | {
        readonly before: string
        readonly removed: readonly string[]
        readonly added: readonly string[]
        readonly after: string
      }
    | undefined
}

/** All review comments of a pull request that the caller may see, oldest first. */
export async function showPullLines(ctx: Context, repo: Repository, pull: SeenPull): Promise<PullLine[]> {
  const lines = await listLinesOf(ctx.db, pull.issue_id, ctx.actor?.id ?? 0)
  const shown = await showLines(ctx, repo, pull, lines)
  return shown.map((it, i) => ({ ...it, suggestion: suggestionOf(lines[i]) }))
}

/** Only lines of the new side can be changed. The diff lacks lines that are far from changes. */
function suggestionOf(line: Line | undefined): PullLine['suggestion'] {
  const split = line?.side === 'new' && line.line > 0 ? splitSuggestion(line.body) : undefined
  if (line === undefined || split === undefined) return undefined
  const texts = textsOf(line.diff_hunk, 'new')
  const removed = line.start_line === null ? texts.slice(-1) : texts
  return { before: split.before, removed, added: split.lines, after: split.after }
}
