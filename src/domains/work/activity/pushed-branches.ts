/** Branches that an account pushed to lately: what the banner after a push offers a pull request for. */
import { sql } from 'kysely'
import { isReadableTo } from '#domains/code/repositories'
import { type ViewerValues, viewerIn, viewerValues } from '#domains/people/users'
import { HEADS } from '#git'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { Statement } from '#platform/db/statement'

export interface PushedBranch {
  readonly repository_id: number
  readonly owner: string
  readonly repo: string
  readonly branch: string
  readonly pushed_at: Date
}

const LATELY_MS = 3_600_000
/** The account's newest acts that are read, in any repository. */
const ACTS_MAX = 200
const BRANCHES_MAX = 10

/**
 * One statement: a range of `activity_feed_own`, then the acts by primary key. Pushes to default branches are left out,
 * because a pull request rarely begins there. Some of the branches may be gone.
 */
export async function listPushedBranches(
  ctx: Context,
  repositoryId: number,
  accountId: number,
): Promise<PushedBranch[]> {
  const since = new Date(ctx.now().getTime() - LATELY_MS)
  return PUSHED.rows(ctx.db, { ...viewerValues(ctx), repositoryId, accountId, since })
}

interface Wanted extends ViewerValues {
  readonly repositoryId: number
  readonly accountId: number
  readonly since: Date
}

const PUSHED = new Statement(
  (
    _db: Db,
    { repositoryId, accountId, since, ...viewer }: Wanted,
  ) => sql<PushedBranch>`with own as materialized (
      select repository_id, activity_id, created_at from activity_feed
      where recipient_id = ${accountId} and actor_id = recipient_id and created_at > ${since}
      order by created_at desc, activity_id desc limit ${sql.lit(ACTS_MAX)})
    select repository.id as repository_id, owner.login as owner, repository.name as repo,
      substr(activity.ref_name, ${sql.lit(HEADS.length + 1)}) as branch, max(own.created_at) as pushed_at
    from own
    join repository on repository.id = own.repository_id
    join account as owner on owner.id = repository.owner_id
    join activity on activity.repository_id = own.repository_id and activity.id = own.activity_id
    where (repository.id = ${repositoryId} or repository.parent_id = ${repositoryId})
      and activity.op_type = 'commit_repo' and starts_with(activity.ref_name, ${sql.lit(HEADS)})
      and activity.ref_name <> ${sql.lit(HEADS)} || repository.default_branch
      and ${isReadableTo(viewerIn(viewer), 'code')}
    group by repository.id, owner.login, repository.name, activity.ref_name
    order by pushed_at desc, branch limit ${sql.lit(BRANCHES_MAX)}`,
)
