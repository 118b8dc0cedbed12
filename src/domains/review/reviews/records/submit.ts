/** Submits a review: fulfils requests, replaces earlier decisions, adds timeline entries and emits the event. */

import { findOfficialReviewers } from '#domains/code/protections'
import { findTeamsOf } from '#domains/people/orgs'
import { countReviewComments, type JoinedPull, pullEvent } from '#domains/review/pulls'
import { insertEntries, recordReferences, touchIssue } from '#domains/work/issues'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import type { SignedIn } from '#platform/rest'
import { listLines } from '../lines/store.ts'
import type { ReviewRow, Submitted } from '../tables.ts'
import { tellOfPeople, tellOfTeams } from './reviewers.ts'
import { deleteReviews, listRequests, replaceDecisions, updateReview } from './store.ts'

/** A pull request locked with its issue, and the reviewer. */
export interface Draft extends Pick<JoinedPull, 'repo' | 'issue' | 'pull'> {
  readonly actor: SignedIn
}

export async function submit(
  ctx: TxContext,
  draft: Draft,
  pending: ReviewRow,
  kind: Submitted,
  body: string,
): Promise<ReviewRow> {
  const { repo, pull, actor } = draft
  const decides = kind !== 'comment'
  await answerRequests(ctx, draft, decides)
  if (decides) await replaceDecisions(ctx.db, pull.issue_id, actor.id)
  const official = decides
    ? await findOfficialReviewers(ctx.db, repo, pull.base_branch, [actor.id])
    : new Set<number>()
  const review = await updateReview(ctx.db, pending.id, {
    kind,
    body,
    head_oid: pending.head_oid,
    version: pending.version,
    is_official: official.has(actor.id),
    is_stale: decides && pending.head_oid !== pull.head_oid,
    updated_at: ctx.now(),
  })
  await tellOfPeople(ctx, pull.issue_id, [actor.id])
  // Compat: the body of the pending review becomes an entry as well, but only now that others may see it.
  const texts = pending.body === '' ? [body] : [pending.body, body]
  const said = await say(ctx, draft, review, texts)
  await emit(ctx, 'review.submitted', { ...pullEvent(pull, actor), review_id: review.id, kind, ...said })
  return review
}

/** Submitting fulfils requests to the reviewer; a decision also fulfils those to the reviewer's teams. */
async function answerRequests(ctx: TxContext, { repo, pull, actor }: Draft, decides: boolean): Promise<void> {
  const requests = await listRequests(ctx.db, pull.issue_id)
  const isForTeams = decides && requests.some(({ team_id }) => team_id !== null)
  const teams = isForTeams ? await findTeamsOf(ctx.db, repo.owner_id, actor.id) : []
  const teamIds = new Set(teams.map(({ id }) => id))
  const answered = requests.filter(
    (it) => it.reviewer_id === actor.id || (it.team_id !== null && teamIds.has(it.team_id)),
  )
  await deleteReviews(
    ctx.db,
    answered.map(({ id }) => id),
  )
  await tellOfTeams(
    ctx,
    pull.issue_id,
    answered.flatMap(({ team_id }) => team_id ?? []),
    false,
  )
}

/** Adds timeline entries, counts them and finds mentions. */
async function say(
  ctx: TxContext,
  { repo, issue, pull, actor }: Draft,
  review: ReviewRow,
  texts: readonly string[],
): Promise<{ comment_id: number; mentions: number[] }> {
  const payload = { review_id: review.id }
  const entries = await insertEntries(
    ctx,
    issue,
    actor,
    texts.map((body) => ({ kind: 'review', body, payload })),
  )
  await touchIssue(ctx, issue.id)
  await countReviewComments(ctx.db, pull.issue_id, entries.length)
  const lines = await listLines(ctx.db, review.id)
  const said = [...entries.slice(-1), ...lines.map(({ comment_id, body }) => ({ id: comment_id, body }))]
  const mentions = new Set<number>()
  for (const { id, body } of said)
    for (const user of await recordReferences(ctx, { repo, issue, commentId: id, actor }, body))
      mentions.add(user)
  const last = must(entries.at(-1), 'there is an entry for each text')
  return { comment_id: last.id, mentions: [...mentions] }
}
