/** Dependencies: an issue cannot be closed while an issue that blocks it is open. */
import {
  getRepository,
  internalTrackerOf,
  openTracker,
  type Repository,
  type Tracker,
} from '#domains/code/repositories'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid, notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { applyChange, beginChange } from '../records/change.ts'
import { isShownTo } from '../records/hidden.ts'
import { type Caller, mayRead, mayWrite } from '../records/open-issue.ts'
import { findIssue, lockIssues } from '../records/store.ts'
import type { IssueRow } from '../tables.ts'
import type { IssueMeta } from './schemas.ts'
import {
  countLinked,
  DEPENDENCIES_MAX,
  deleteDependency,
  findWithOpenBlocker,
  hasOpenBlocker,
  insertDependency,
  lockGraph,
  reach,
} from './store.ts'

/** An issue by number; the tracker proves that the caller may look it up. */
interface Named {
  readonly tracker: Tracker
  readonly number: number
}
interface Pair {
  readonly blocker: IssueRow
  readonly blocked: IssueRow
}
/** Returns both issues as changed. */
type Verb = (ctx: TxContext, actor: SignedIn, pair: Pair) => Promise<Pair>

/** The issue in the path blocks the named one, or is blocked by it. Returns the issue in the path. */
export function depend(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  named: IssueMeta,
  role: 'blocker' | 'blocked',
  verb: Verb,
): Promise<IssueRow> {
  return transact(ctx, async (ctx) => {
    const own = { tracker, number }
    const other = await openNamed(ctx, named)
    const pair = await (role === 'blocker' ? holdPair(ctx, own, other) : holdPair(ctx, other, own))
    return (await verb(ctx, actor, pair))[role]
  })
}

export async function addDependency(ctx: TxContext, actor: SignedIn, pair: Pair): Promise<Pair> {
  const { blocker, blocked } = pair
  if (blocker.id === blocked.id) throw invalid('an issue cannot block itself')
  const dependency = { blocker_id: blocker.id, blocked_id: blocked.id }
  await lockGraph(ctx.db)
  if ((await countLinked(ctx.db, dependency)) >= DEPENDENCIES_MAX)
    throw invalid('issue has too many dependencies', { max: DEPENDENCIES_MAX })
  const reached = await reach(ctx.db, blocked.id, blocker.id)
  if (reached === 'reached') throw invalid('circular dependency')
  if (reached === 'too far to tell') throw invalid('too many issues depend on each other')
  if (!(await insertDependency(ctx, dependency))) throw invalid('dependency exists already')
  return tell(ctx, actor, pair, 'add_dependency')
}

export async function removeDependency(ctx: TxContext, actor: SignedIn, pair: Pair): Promise<Pair> {
  const { blocker, blocked } = pair
  if (!(await deleteDependency(ctx.db, { blocker_id: blocker.id, blocked_id: blocked.id })))
    throw notFound('dependency', blocker.number)
  return tell(ctx, actor, pair, 'remove_dependency')
}

export async function assertClosable(ctx: Context, repo: Repository, issue: IssueRow): Promise<void> {
  if (await hasOpenDependencies(ctx, repo, issue)) throw openDependencies()
}

/** If dependencies are disabled, existing ones are kept without effect. */
export async function hasOpenDependencies(ctx: Context, repo: Repository, issue: IssueRow): Promise<boolean> {
  return hasDependencies(repo) && (await hasOpenBlocker(ctx.db, issue.id))
}

/** Which of these depend on an open issue: one query. */
export async function findBlocked(
  db: Db,
  issues: readonly { readonly issue_id: number; readonly repository_id: number }[],
  repos: ReadonlyMap<number, Repository>,
): Promise<ReadonlySet<number>> {
  const ids = issues.flatMap(({ issue_id, repository_id }) => {
    const repo = repos.get(repository_id)
    return repo !== undefined && hasDependencies(repo) ? [issue_id] : []
  })
  return new Set(await findWithOpenBlocker(db, ids))
}

/** The refusal to close or merge a blocked issue. */
export function openDependencies(): Problem {
  return new Problem(
    'precondition',
    'cannot close this issue or pull request because it still has open dependencies',
  )
}

export function hasDependencies(repo: Repository): boolean {
  return internalTrackerOf(repo)?.enable_issue_dependencies ?? true
}

/** Compat: a former name of a repository is not followed here. */
async function openNamed(ctx: Context, { owner = '', repo = '', index = 0 }: IssueMeta): Promise<Named> {
  try {
    return { tracker: await openTracker(ctx, { owner, repo }), number: index }
  } catch (error) {
    if (error instanceof Problem && error.kind === 'moved') throw notFound('repository', `${owner}/${repo}`)
    throw error
  }
}

/** Locks both issues. Compat: a caller without access gets 404. */
async function holdPair(ctx: TxContext, first: Named, second: Named): Promise<Pair> {
  const ids = [await findId(ctx, first), await findId(ctx, second)]
  const held = new Map((await lockIssues(ctx.db, ids)).map((issue) => [issue.id, issue]))
  const [blocker, blocked] = ids.map((id) => held.get(id))
  const there = await getRepository(ctx, first.tracker.id)
  const here = await getRepository(ctx, second.tracker.id)
  if (blocker === undefined || !mayRead(there, blocker.is_pull)) throw notFound('issue', first.number)
  if (blocked === undefined || !mayBeBlocked(here, blocked)) throw notFound('issue', second.number)
  return { blocker, blocked }
}

function mayBeBlocked(repo: Repository, issue: IssueRow): boolean {
  return mayWrite(repo, issue.is_pull) && !repo.access.archived && hasDependencies(repo)
}

async function findId(ctx: TxContext, { tracker, number }: Named): Promise<number> {
  const issue = await findIssue(ctx.db, tracker.id, number)
  if (issue === undefined || !isShownTo(ctx, issue)) throw notFound('issue', number)
  return issue.id
}

async function tell(
  ctx: TxContext,
  actor: SignedIn,
  { blocker, blocked }: Pair,
  kind: 'add_dependency' | 'remove_dependency',
): Promise<Pair> {
  const tellTo = (issue: IssueRow, other: IssueRow) => {
    const change = beginChange(issue, actor)
    change.entries.push({ kind, payload: { dependent_issue_id: other.id } })
    return applyChange(ctx, change)
  }
  return { blocked: await tellTo(blocked, blocker), blocker: await tellTo(blocker, blocked) }
}
