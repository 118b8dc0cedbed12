/** Loads threads with their subjects: a fixed number of queries. */

import { loadInOrder } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { findIssuesById, isShownTo, listLastComments, mayRead } from '#domains/work/issues'
import type { Actor, Context } from '#platform/context'
import { findReasons } from './store.ts'
import type { Reason, ThreadRow } from './tables.ts'
import { type About, type NotificationThread, presentThread } from './wire.ts'

/** The caller must own the threads; subjects are shown as the caller may see them. */
export async function showThreads(
  ctx: Context,
  threads: readonly ThreadRow[],
): Promise<NotificationThread[]> {
  const issueIds = threads.flatMap(({ issue_id }) => issue_id ?? [])
  const repositoryIds = [...new Set(threads.map(({ repository_id }) => repository_id))]
  const repositories = new Map((await loadInOrder(ctx, repositoryIds)).map((repo) => [repo.id, repo]))
  const issues = new Map((await findIssuesById(ctx.db, issueIds)).map((issue) => [issue.id, issue]))
  const comments = await listLastComments(ctx.db, issueIds)
  const aboutOf = ({ repository_id, issue_id }: ThreadRow): About | null => {
    const repo = repositories.get(repository_id)
    const issue = issue_id === null ? null : issues.get(issue_id)
    if (repo === undefined || issue === undefined) return null
    const isSeen =
      issue === null ? may(repo.access, 'see') : isShownTo(ctx, issue) && mayRead(repo, issue.is_pull)
    return isSeen ? { repo, issue, lastCommentId: comments.get(issue?.id ?? 0) ?? 0 } : null
  }
  return threads.map((thread) => presentThread(thread, aboutOf(thread), ctx.site))
}

/** The reasons of the user's threads by id, where stored. */
export function findNotificationReasons(
  { db }: Context,
  { id }: Pick<Actor, 'id'>,
  threads: readonly Pick<ThreadRow, 'id'>[],
): Promise<ReadonlyMap<number, Reason>> {
  return findReasons(
    db,
    id,
    threads.map((thread) => thread.id),
  )
}
