/**
 * Opens pull requests. Code that changes one opens it in the transaction of the change, where it and its issue are
 * locked.
 */

import {
  assertUnarchived,
  type CanRead,
  openTracker,
  type Repository,
  type Tracker,
  type Visible,
} from '#domains/code/repositories'
import { may } from '#domains/people/access'
import {
  assertMayJoin,
  type Caller,
  type EditableIssue,
  mayRead,
  openToEdit,
  openToJoin,
  type ReadableIssue,
} from '#domains/work/issues'
import { type Context, once, type TxContext } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import type { PullRow } from '../tables.ts'
import { findPull, lockPull } from './store.ts'

declare const seen: unique symbol
/** Proof that the caller may read the pull requests and the code of a repository. */
export type PullTracker = Tracker & CanRead<'code'> & { readonly [seen]: 'pulls' }
/** Proof that the caller may read a pull request and the code it is about. */
export interface SeenPull extends PullRow {
  readonly [seen]: 'pull'
}

export interface PullCaller extends Caller {
  readonly tracker: PullTracker
}

interface Path {
  readonly owner: string
  readonly repo: string
}

interface Visit {
  readonly ctx: Context
  readonly params: Path
}

export async function openPulls({ ctx, params }: Visit): Promise<PullTracker> {
  return asPulls(await openTracker(ctx, params))
}

/** For a push to `refs/for/`, which opens a pull request or adds a version to one. */
export function openPullsToJoin(repo: Visible): PullTracker {
  const tracker = asPulls(repo)
  assertMayJoin(tracker, true)
  return tracker
}

/** Compat: 404 without access to pull requests; 403 for callers who may read those but not the code. */
function asPulls(repo: Visible): PullTracker {
  if (!mayRead(repo, true)) throw notFound('pull requests', `${repo.owner.login}/${repo.name}`)
  if (!may(repo.access, 'read', 'code'))
    throw forbidden('user should have specific read permission or be a repo admin or a site admin')
  return repo as PullTracker
}

export async function openPullsAsSignedIn(visit: Visit): Promise<PullCaller> {
  return { tracker: await openPulls(visit), actor: asSignedIn(visit) }
}

export async function openPullsUnarchived(visit: Visit): Promise<PullCaller> {
  const caller = await openPullsAsSignedIn(visit)
  assertUnarchived(caller.tracker)
  return caller
}

export async function openPull(ctx: Context, tracker: PullTracker, number: number): Promise<SeenPull> {
  const pull = await once(ctx, `pull ${tracker.id}#${number}`, () => findPull(ctx.db, tracker.id, number))
  if (pull === undefined) throw notFound('pull request', number)
  return pull as SeenPull
}

export interface ReadPull {
  readonly tracker: PullTracker
  readonly pull: SeenPull
}

/** One pull request and its repository, for a caller who may read both. */
export async function openPullToRead({
  ctx,
  params,
}: Visit & { readonly params: { readonly index: number } }): Promise<ReadPull> {
  const tracker = await openPulls({ ctx, params })
  return { tracker, pull: await openPull(ctx, tracker, params.index) }
}

/** A pull request locked with its issue until the transaction ends; the caller is its author or may write. */
export interface EditablePull extends EditableIssue {
  readonly pull: PullRow
}

export async function openPullToEdit(
  ctx: TxContext,
  tracker: PullTracker,
  number: number,
): Promise<EditablePull> {
  await openPull(ctx, tracker, number)
  const held = await openToEdit(ctx, tracker, number)
  return { ...held, pull: await lockPull(ctx.db, held.issue.id) } as EditablePull
}

/** The same for a caller who may read. */
export interface JoinedPull extends ReadableIssue {
  readonly pull: PullRow
}

export async function openPullToJoin(
  ctx: TxContext,
  tracker: PullTracker,
  number: number,
): Promise<JoinedPull> {
  await openPull(ctx, tracker, number)
  const held = await openToJoin(ctx, tracker, number)
  return { ...held, pull: await lockPull(ctx.db, held.issue.id) } as JoinedPull
}

/** Whether the caller may write to the branch that a pull request comes from. */
export function mayWriteHead(head: Repository): boolean {
  return may(head.access, 'write', 'code') && !head.access.archived
}
