/**
 * Opens the issues of a repository, or one of them. Code that changes an issue opens it in the transaction of the
 * change, where it is locked and permissions are checked again.
 */

import {
  assertUnarchived,
  getRepository,
  openTracker,
  type Repository,
  type Tracker,
} from '#domains/code/repositories'
import { may, mayActAsAuthor } from '#domains/people/access'
import { isBlockedByAny } from '#domains/people/users'
import { type Context, once, type TxContext } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import type { IssueRow } from '../tables.ts'
import { isShownTo } from './hidden.ts'
import { isLimited } from './limits.ts'
import { findIssue, lockIssue } from './store.ts'

declare const seen: unique symbol
/** Proof that the caller may read an issue. */
export interface SeenIssue extends IssueRow {
  readonly [seen]: true
}

/** An issue locked until the transaction ends, and its repository, both read under the lock. */
interface Held {
  readonly repo: Repository
  readonly issue: IssueRow
  /** Whether the caller may write issues of its kind, and so change more than its texts. */
  readonly mayWrite: boolean
}
declare const readable: unique symbol
/** Proof that the caller may read the issue, and so comment on it. */
export interface ReadableIssue extends Held {
  readonly [readable]: true
}
declare const editable: unique symbol
/** Proof that the caller is the author or may write issues of its kind. */
export interface EditableIssue extends Held {
  readonly [editable]: true
}
/** Proof that the caller may write issues of its kind. */
export interface WritableIssue extends EditableIssue {
  readonly mayWrite: true
}

interface Path {
  readonly owner: string
  readonly repo: string
}

export interface Caller {
  readonly tracker: Tracker
  readonly actor: SignedIn
}

interface Visit {
  readonly ctx: Context
  readonly params: Path
}

export async function openAsSignedIn(visit: Visit): Promise<Caller> {
  const tracker = await openTracker(visit.ctx, visit.params)
  return { tracker, actor: asSignedIn(visit) }
}

/** Refuses writes to an archived repository. */
export async function openUnarchived(visit: Visit): Promise<Caller> {
  const caller = await openAsSignedIn(visit)
  assertUnarchived(caller.tracker)
  return caller
}

/** Any reader of issues may create one, except jobs, which need write permission. */
export async function openToAdd(visit: Visit): Promise<Caller> {
  const { owner, repo } = visit.params
  const tracker = await openTracker(visit.ctx, visit.params)
  if (!mayRead(tracker, false)) throw notFound('issues', `${owner}/${repo}`)
  assertMayJoin(tracker, false)
  return openUnarchived(visit)
}

export async function openAsAdmin(visit: Visit): Promise<Caller> {
  const caller = await openAsSignedIn(visit)
  if (!may(caller.tracker.access, 'admin'))
    throw forbidden('user should be an owner or a collaborator with admin write of a repository')
  return caller
}

export async function openIssue(ctx: Context, tracker: Tracker, number: number): Promise<SeenIssue> {
  const issue = await once(ctx, `issue ${tracker.id}#${number}`, () => findIssue(ctx.db, tracker.id, number))
  if (issue === undefined || !isShownTo(ctx, issue) || !mayRead(tracker, issue.is_pull))
    throw notFound('issue', number)
  return issue as SeenIssue
}

export async function openToJoin(ctx: TxContext, tracker: Tracker, number: number): Promise<ReadableIssue> {
  const held = await hold(ctx, tracker, number)
  if (!mayRead(held.repo, held.issue.is_pull)) throw notFound('issue', number)
  assertMayJoin(held.repo, held.issue.is_pull)
  return held as ReadableIssue
}

/** Compat: a caller who is neither gets 403, even if they may not read the issue. */
export async function openToEdit(ctx: TxContext, tracker: Tracker, number: number): Promise<EditableIssue> {
  const held = await hold(ctx, tracker, number)
  if (!held.mayWrite && !isTheirs(ctx, held.issue.is_pull, held.issue))
    throw forbidden('must be the author or have write permission')
  return held as EditableIssue
}

export async function openToWork(ctx: TxContext, tracker: Tracker, number: number): Promise<WritableIssue> {
  const held = await openToJoin(ctx, tracker, number)
  if (!held.mayWrite) throw forbidden('write permission is required')
  return held as Held as WritableIssue
}

export function mayRead(repo: Repository, isPull: boolean): boolean {
  return may(repo.access, 'read', unitOf(isPull))
}

export function mayWrite(repo: Repository, isPull: boolean): boolean {
  return may(repo.access, 'write', unitOf(isPull))
}

/** Refuses a job token with read permission only. */
export function assertMayJoin(repo: Repository, isPull: boolean): void {
  if (!may(repo.access, 'join', unitOf(isPull))) throw forbidden('write permission is required')
}

/** Whether the caller wrote it, with a credential that may write such texts. */
export function isTheirs(
  { actor }: Context,
  isPull: boolean,
  what: { readonly author_id: number | null },
): boolean {
  return actor !== null && what.author_id === actor.id && mayActAsAuthor(actor.restriction, unitOf(isPull))
}

export async function assertNotBlocked(
  ctx: Context,
  repo: Repository,
  actor: SignedIn,
  issue?: IssueRow,
): Promise<void> {
  if (!(await isSilenced(ctx, repo, actor, issue))) return
  const isByLimit = await isLimited(ctx, repo, actor.id)
  throw forbidden(
    isByLimit ? 'interactions with this repository are limited at the moment' : 'user is blocked',
  )
}

/**
 * A user whom the owner or the issue's author blocks, or whom an interaction limit excludes, may not write there, unless
 * they are a repository administrator.
 */
export async function isSilenced(
  ctx: Context,
  repo: Repository,
  actor: Pick<SignedIn, 'id'>,
  issue?: IssueRow,
): Promise<boolean> {
  if (may(repo.access, 'admin')) return false
  if (await isLimited(ctx, repo, actor.id)) return true
  return isBlockedByAny(ctx, [repo.owner_id, issue?.author_id ?? repo.owner_id], actor.id)
}

export function unitOf(isPull: boolean): 'issues' | 'pulls' {
  return isPull ? 'pulls' : 'issues'
}

async function hold(ctx: TxContext, tracker: Tracker, number: number): Promise<Held> {
  const issue = await lockIssue(ctx.db, tracker.id, number)
  if (issue === undefined || !isShownTo(ctx, issue)) throw notFound('issue', number)
  const repo = await getRepository(ctx, tracker.id)
  return { repo, issue, mayWrite: mayWrite(repo, issue.is_pull) }
}
