/** Webhook payload: a comment on an issue or pull request was created, edited or deleted. */
import {
  findAsOwner,
  presentOwned,
  presentSender,
  type Repository,
  withRightsOf,
} from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { type ChatText, payload, type WebhookFacts } from '#slices'
import { showComment } from '../timeline/show-entries.ts'
import { findEntry } from '../timeline/store.ts'
import type { Comment } from '../timeline/wire.ts'
import { changesOf, excerptOf, findShown, lineOf } from './parts.ts'

export interface CommentFacts extends WebhookFacts {
  readonly action: 'created' | 'edited' | 'deleted'
  readonly number: number
  readonly comment_id: number
  /** The body before the edit. */
  readonly old_body?: string
  /** The record of a deleted comment. */
  readonly comment?: Comment
}

export const commentPayload = payload({
  type: 'issue_comment',
  indent: 2,
  build: buildComment,
  describe: (content) => describeComment(content, 'issue'),
})

type CommentNews = NonNullable<Awaited<ReturnType<typeof buildComment>>>

export async function buildComment(ctx: Context, facts: CommentFacts) {
  const repo = await findAsOwner(ctx, facts.repository_id)
  const issue = repo && (await findShown(ctx, repo, facts.number))
  const comment = facts.comment ?? (repo && (await findComment(ctx, repo, facts.comment_id)))
  if (repo === undefined || issue === undefined || comment === undefined) return null
  return {
    action: facts.action,
    issue,
    comment,
    ...(facts.old_body === undefined ? {} : changesOf({ body: { from: facts.old_body } })),
    repository: presentOwned(await withRightsOf(ctx, repo, facts.actor_id), ctx),
    sender: await presentSender(ctx, facts.actor_id),
    is_pull: issue.pull_request !== null,
  }
}

/** `noun`: issue or pull request. */
export function describeComment({ action, issue, comment, repository }: CommentNews, noun: string): ChatText {
  const said = { label: `#${issue.number}`, url: comment.html_url, text: excerptOf(comment.body) }
  return {
    title: lineOf(`[${repository.full_name}] Comment ${action} on ${noun} #${issue.number}: ${issue.title}`),
    url: comment.html_url,
    lines: action === 'deleted' ? [] : [said],
    ...(action === 'deleted' ? { color: 'red' as const } : {}),
  }
}

async function findComment(ctx: Context, repo: Repository, id: number): Promise<Comment | undefined> {
  const entry = await findEntry(ctx, repo.id, id)
  return entry && showComment(ctx, repo, entry)
}
