/** Loads comments of any issues with everything shown of them: a fixed number of queries. */
import { listAttachments } from '#domains/code/attachments'
import type { Repository } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import { findEntriesById } from './store.ts'
import { type Comment, presentComment } from './wire.ts'

/** By id; omits deleted comments and those whose repository is not in `repos`. */
export async function showCommentsOf(
  ctx: Context,
  repos: ReadonlyMap<number, Repository>,
  ids: readonly number[],
): Promise<Map<number, Comment>> {
  const comments = await findEntriesById(ctx, ids)
  const accounts = await findAccountsById(
    ctx.db,
    comments.flatMap(({ author_id }) => author_id ?? []),
  )
  const attachments = await listAttachments(
    ctx.db,
    'comment',
    comments.map(({ id }) => id),
  )
  return new Map(
    comments.flatMap((comment): [number, Comment][] => {
      const repo = repos.get(comment.repository_id)
      if (repo === undefined) return []
      return [[comment.id, presentComment(comment, comment, { repo, accounts, attachments, site: ctx.site })]]
    }),
  )
}
