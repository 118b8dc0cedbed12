/** Webhook payload of a pull request. */

import { findAsOwner, presentOwned, presentSender, withRightsOf } from '#domains/code/repositories'
import { changesOf, excerptOf, ISSUE_COLORS, ISSUE_WORDS, lineOf } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { type ChatText, payload, type WebhookFacts, type WebhookType } from '#slices'
import { showPull } from '../records/show-pulls.ts'
import { findPull } from '../records/store.ts'
import type { PullRequest } from '../records/wire.ts'

export interface PullFacts extends WebhookFacts {
  readonly action: Action
  readonly number: number
  /** Values before the change. */
  readonly old_title?: string
  readonly old_body?: string
  readonly old_base?: string
  /** The head before and after a push. */
  readonly before?: string
  readonly after?: string
  /** The record of a deleted pull request. */
  readonly pull?: PullRequest
  /** The commit that closed it. */
  readonly commit_id?: string
  /** The user whose review is requested, or whose request is removed. */
  readonly reviewer_id?: number
  readonly review?: { readonly type: string; readonly content: string }
}

type Action = keyof typeof WORDS
type PullType = Extract<WebhookType, `pull_request${string}`>
type Holder = 'author' | 'actor' | 'owner'

const WORDS = {
  ...ISSUE_WORDS,
  synchronized: 'synchronized',
  reviewed: 'reviewed',
  review_requested: 'review requested',
  review_request_removed: 'review request removed',
} as const

export const pullPayload = pullPayloadOf('pull_request', 'author')
export const labelPayload = pullPayloadOf('pull_request_label', 'author')
export const assignPayload = pullPayloadOf('pull_request_assign', 'actor')
export const milestonePayload = pullPayloadOf('pull_request_milestone', 'actor')
export const syncPayload = pullPayloadOf('pull_request_sync', 'owner')

/** Compat: the repository's permissions are those of the author, the actor or the owner, depending on the event. */
export function pullPayloadOf<Type extends PullType>(type: Type, rightsOf: Holder) {
  return payload({
    type,
    indent: 2,
    build: (ctx, facts: PullFacts) => build(ctx, facts, rightsOf),
    describe,
  })
}

async function build(ctx: Context, facts: PullFacts, rightsOf: Holder) {
  const owned = await findAsOwner(ctx, facts.repository_id)
  const pull = owned && (facts.pull ?? (await findShownPull(ctx, facts)))
  if (owned === undefined || pull === undefined) return null
  const holders = { author: pull.user.id, actor: facts.actor_id, owner: owned.owner_id }
  const { before, after } = facts
  return {
    action: facts.action,
    ...(before === undefined ? {} : { before, after }),
    number: facts.number,
    ...(facts.action === 'edited' ? changesIn(facts, pull) : {}),
    pull_request: pull,
    requested_reviewer: facts.reviewer_id === undefined ? null : await presentSender(ctx, facts.reviewer_id),
    repository: presentOwned(await withRightsOf(ctx, owned, holders[rightsOf]), ctx),
    sender: await presentSender(ctx, facts.actor_id),
    commit_id: facts.commit_id ?? '',
    review: facts.review ?? null,
  }
}

/** Rendered as to an anonymous user, because the receiver is unknown; only the repository is shown in full. */
export async function findShownPull(
  ctx: Context,
  { repository_id, number, actor_id }: Pick<PullFacts, 'repository_id' | 'number' | 'actor_id'>,
): Promise<PullRequest | undefined> {
  const owned = await findAsOwner(ctx, repository_id)
  const pull = owned && (await findPull(ctx.db, owned.id, number))
  if (owned === undefined || pull === undefined) return undefined
  return showPull({ ...ctx, actor: null }, await withRightsOf(ctx, owned, actor_id), pull)
}

function changesIn({ old_title, old_body, old_base }: PullFacts, pull: PullRequest) {
  if (old_base !== undefined) return changesOf({ ref: { from: old_base } })
  return old_title === undefined
    ? changesOf({ body: { from: old_body ?? pull.body } })
    : changesOf({ title: { from: old_title } })
}

function describe(content: NonNullable<Awaited<ReturnType<typeof build>>>): ChatText {
  const { action, pull_request: pull, repository, review } = content
  const word = action === 'closed' && pull.merged ? 'merged' : WORDS[action]
  const text = review?.content ?? (action === 'opened' ? pull.body : '')
  const color = word === 'merged' ? 'green' : ISSUE_COLORS[action]
  return {
    title: lineOf(`[${repository.full_name}] Pull request #${pull.number} ${word}: ${pull.title}`),
    // A deleted pull request has no page.
    ...(action === 'deleted' ? {} : { url: pull.html_url }),
    lines: text === '' ? [] : [{ label: `#${pull.number}`, url: pull.html_url, text: excerptOf(text) }],
    ...(color === undefined ? {} : { color }),
  }
}
