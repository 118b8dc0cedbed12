/** Opens what a file is attached to: an issue or one of its comments. */
import type { Owner } from '#domains/code/attachments'
import { getRepository, openTracker, type Repository, type Tracker } from '#domains/code/repositories'
import type { Context, TxContext } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import type { Attachable } from '#slices'
import { type Caller, isTheirs, mayRead, mayWrite, openIssue, openToJoin } from '../records/open-issue.ts'
import { findIssuePlace } from '../records/store.ts'
import type { IssueRow } from '../tables.ts'
import { type FoundEntry, findEntry, findEntryPlace } from '../timeline/store.ts'

/** An issue by number, or a comment by id. */
export type Place = { readonly number: number } | { readonly commentId: number }

declare const target: unique symbol
/** Proof that the caller may read the target, and so its attachments. */
export interface Target {
  readonly [target]: true
  readonly owner: Owner
  readonly number: number
  readonly comment: FoundEntry | null
}

/** A target that is locked until the transaction ends. */
export interface HeldTarget extends Target {
  readonly repo: Repository
  readonly issue: IssueRow
}

export async function openTarget(ctx: Context, tracker: Tracker, place: Place): Promise<Target> {
  if ('number' in place) {
    const { id, number } = await openIssue(ctx, tracker, place.number)
    return { owner: { kind: 'issue', id }, number, comment: null } as unknown as Target
  }
  const comment = await findEntry(ctx, tracker.id, place.commentId)
  if (comment?.kind !== 'comment' || !mayRead(tracker, comment.is_pull))
    throw notFound('comment', place.commentId)
  const { id, number } = comment
  return { owner: { kind: 'comment', id }, number, comment } as unknown as Target
}

/** Checked before the upload is read, so that a caller who may not attach need not send it. */
export async function assertMayAttach(ctx: Context, { tracker }: Caller, place: Place): Promise<void> {
  const target = await openTarget(ctx, tracker, place)
  const issue = await openIssue(ctx, tracker, target.number)
  assertTheirs(ctx, tracker, issue, target)
}

/** Reads the comment again under the issue lock, because it may have been deleted. */
export async function holdTarget(ctx: TxContext, tracker: Tracker, place: Place): Promise<HeldTarget> {
  const { number } = await openTarget(ctx, tracker, place)
  const { repo, issue } = await openToJoin(ctx, tracker, number)
  const target = await openTarget(ctx, tracker, place)
  assertTheirs(ctx, repo, issue, target)
  return { ...target, repo, issue }
}

/** D53: the author of a comment may attach to it, as the author of an issue may. */
function assertTheirs(ctx: Context, repo: Repository, issue: IssueRow, { comment }: Target): void {
  if (mayWrite(repo, issue.is_pull) || isTheirs(ctx, issue.is_pull, comment ?? issue)) return
  throw forbidden('must be the author or have write permission')
}

/** In any repository. */
export async function openIssueById(ctx: Context, id: number): Promise<object> {
  const place = await findIssuePlace(ctx.db, id)
  if (place === undefined) throw notFound('issue', id)
  return openIssue(ctx, await trackerOf(ctx, place.repository_id), place.number)
}

/** Who may read attachments, in any repository. */
export const attachables: readonly Attachable[] = [
  { kind: 'issue', open: openIssueById },
  {
    kind: 'comment',
    open: async (ctx, id) => {
      const place = await findEntryPlace(ctx.db, id)
      if (place === undefined) throw notFound('comment', id)
      return openTarget(ctx, await trackerOf(ctx, place.repository_id), { commentId: id })
    },
  },
]

async function trackerOf(ctx: Context, repositoryId: number): Promise<Tracker> {
  const { owner, name } = await getRepository(ctx, repositoryId)
  return openTracker(ctx, { owner: owner.login, repo: name })
}
