/** The pull request of each branch, for lists of branches: the open one, or else the latest. */
import { sql } from 'kysely'
import { isDraft, isShownIn } from '#domains/work/issues'
import type { Context } from '#platform/context'
import type { PullTracker } from '../records/open-pull.ts'

export interface PullOfBranch {
  readonly number: number
  readonly title: string
  readonly state: 'open' | 'closed'
  readonly merged: boolean
  readonly draft: boolean
}

interface Row {
  readonly branch: string
  readonly number: number
  readonly title: string
  readonly is_open: boolean
  readonly merged_at: Date | null
}

/** Only within the repository. */
export async function findPullsOfBranches(
  ctx: Context,
  { id }: PullTracker,
  branches: readonly string[],
): Promise<ReadonlyMap<string, PullOfBranch>> {
  // Open and closed ones have an index each.
  const latest = (isOpen: boolean) => sql`(select issue.number, issue.title, pull_request.is_open,
      pull_request.merged_at, pull_request.issue_id
    from pull_request join issue on issue.id = pull_request.issue_id
    where pull_request.head_repository_id = ${id} and pull_request.repository_id = ${id}
      and pull_request.head_branch = tip.branch and ${isShownIn('issue', ctx)}
      and ${isOpen ? sql`pull_request.is_open` : sql`not pull_request.is_open`}
    order by pull_request.issue_id desc limit 1)`
  const { rows } = await sql<Row>`select tip.branch, pull.number, pull.title, pull.is_open, pull.merged_at
    from unnest(${[...branches]}::text[]) as tip (branch)
    cross join lateral (select * from (${latest(true)} union all ${latest(false)}) as latest
      order by is_open desc limit 1) as pull`.execute(ctx.db)
  return new Map(
    rows.map(({ branch, number, title, is_open, merged_at }) => [
      branch,
      {
        number,
        title,
        state: is_open ? 'open' : 'closed',
        merged: merged_at !== null,
        draft: isDraft({ title }),
      },
    ]),
  )
}
