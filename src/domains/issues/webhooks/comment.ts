/** Something was said to an issue, said otherwise, or taken back. */
import { findAsOwner, presentSender, type Repository } from '#domains/repositories'
import type { Context } from '#platform/context'
import { payload, type WebhookFacts } from '#slices'
import { showComment } from '../timeline/show-entries.ts'
import { findEntry } from '../timeline/store.ts'
import type { Comment } from '../timeline/wire.ts'
import { changesOf, excerptOf, findShown, lineOf, presentWithRights } from './parts.ts'

interface CommentFacts extends WebhookFacts {
  readonly action: 'created' | 'edited' | 'deleted'
  readonly number: number
  readonly comment_id: number
  /** What it was before. */
  readonly old_body?: string
  /** Of one that is gone, this is left. */
  readonly comment?: Comment
}

export const commentPayload = payload({
  type: 'issue_comment',
  indent: 2,
  async build(ctx, facts: CommentFacts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    const issue = repo && (await findShown(ctx, repo, facts.number))
    const comment = facts.comment ?? (repo && (await findComment(ctx, repo, facts.comment_id)))
    if (repo === undefined || issue === undefined || comment === undefined) return null
    return {
      action: facts.action,
      issue,
      comment,
      ...(facts.old_body === undefined ? {} : changesOf({ body: { from: facts.old_body } })),
      repository: await presentWithRights(ctx, repo, facts.actor_id),
      sender: await presentSender(ctx, facts.actor_id),
      is_pull: false,
    }
  },
  describe: ({ action, issue, comment, repository }) => ({
    title: lineOf(`[${repository.full_name}] Comment ${action} on issue #${issue.number}: ${issue.title}`),
    url: comment.html_url,
    lines:
      action === 'deleted'
        ? []
        : [{ label: `#${issue.number}`, url: comment.html_url, text: excerptOf(comment.body) }],
    ...(action === 'deleted' ? { color: 'red' as const } : {}),
  }),
})

async function findComment(ctx: Context, repo: Repository, id: number): Promise<Comment | undefined> {
  const entry = await findEntry(ctx.db, repo.id, id)
  return entry && showComment(ctx, repo, entry)
}
