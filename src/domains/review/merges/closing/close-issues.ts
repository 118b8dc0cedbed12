/**
 * When a pull request is merged into the default branch, closes (or reopens) the issues that its texts name with a
 * keyword, and closes those that its commits name, whatever of their messages the merge keeps. Commits that reach the
 * branch are handled by `issues/references/commits.ts` too. Each issue has its own job, so no transaction locks two.
 */

import { getRepository, type Repository } from '#domains/code/repositories'
import type { Restriction } from '#domains/people/access'
import { actAs } from '#domains/people/users'
import { findPullOf } from '#domains/review/pulls'
import {
  applyChange,
  beginChange,
  countIssue,
  editState,
  type IssueRow,
  isTheirs,
  lockIssues,
  mayRead,
  mayWrite,
} from '#domains/work/issues'
import type { Events } from '#events'
import { type Consumer, consumer } from '#events/consumer'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { Problem } from '#platform/problem'
import { addJobs, type JobKind } from '#platform/queue'
import { asSignedIn } from '#platform/rest'

const JOB = 'merges-close-issues'
const TARGETS_MAX = 200

interface Closing {
  readonly issue_id: number
  readonly action: 'closes' | 'reopens'
  /** Author of the reference, who needs the right to close the issue. */
  readonly author_id: number
  /** The reference is in a commit: a restricted token may have pushed it, so the merger needs the right as well. */
  readonly is_commit?: boolean
  readonly merger_id: number
  /** Of the token that merged the pull request. */
  readonly restriction?: Restriction
  readonly commit: string
}

type Said = Pick<Closing, 'issue_id' | 'action' | 'author_id' | 'is_commit'>

export const closingConsumers: readonly Consumer[] = [
  consumer('merges-close', 'pull.merged', hear),
] as readonly Consumer[]

export const closingJobs: readonly JobKind[] = [
  { name: JOB, run: (ctx, payload) => transact(ctx, (ctx) => obey(ctx, payload as Closing)) },
]

async function hear(ctx: TxContext, event: Events['pull.merged']): Promise<void> {
  const { restriction } = event
  const pull = await findPullOf(ctx.db, event.issue_id)
  const repo = await findRepository(ctx, event.repository_id)
  if (pull === undefined || repo === undefined || pull.base_branch !== repo.default_branch) return
  const said = await listSaid(ctx.db, event.issue_id)
  await addJobs(
    ctx,
    said.map((it) => ({
      kind: JOB,
      payload: {
        ...it,
        merger_id: event.actor_id,
        commit: event.merge_commit,
        ...(restriction && { restriction }),
      } satisfies Closing,
      attemptsMax: ctx.config['jobs.attempts_max'],
    })),
  )
}

/** References in the pull request's title, body and comments; references that were edited away do not count. */
async function listSaid(db: Db, issueId: number): Promise<Said[]> {
  const rows = await db
    .selectFrom('issue_comment')
    .select(['issue_id', 'ref_action', 'author_id'])
    .where('ref_issue_id', '=', issueId)
    .where('ref_action', 'in', ['closes', 'reopens'])
    .orderBy('id')
    .limit(TARGETS_MAX)
    .execute()
  const said = rows.map(({ issue_id, ref_action, author_id }) => ({
    issue_id,
    action: ref_action === 'reopens' ? ('reopens' as const) : ('closes' as const),
    author_id: author_id ?? 0,
  }))
  const named = new Set(said.map(({ issue_id }) => issue_id))
  return [...said, ...(await listCommitted(db, issueId)).filter(({ issue_id }) => !named.has(issue_id))]
}

/** References in the commits of its last version count as those of the pull request's author. */
async function listCommitted(db: Db, pullId: number): Promise<Said[]> {
  const rows = await db
    .selectFrom('issue_closing_commit')
    .innerJoin('issue as pull', 'pull.id', 'issue_closing_commit.pull_id')
    .select(['issue_closing_commit.issue_id', 'pull.author_id'])
    .where('issue_closing_commit.pull_id', '=', pullId)
    .orderBy('issue_closing_commit.issue_id')
    .execute()
  return rows.map(({ issue_id, author_id }) => ({
    issue_id,
    action: 'closes',
    author_id: author_id ?? 0,
    is_commit: true,
  }))
}

/** The merger is the actor, and the author of the reference must still be allowed to close the issue. */
async function obey(ctx: TxContext, closing: Closing): Promise<void> {
  const asAuthor = await actAs(ctx, closing.author_id)
  const asMerger = await actAs(ctx, closing.merger_id, closing.restriction)
  const [issue] = await lockIssues(ctx.db, [closing.issue_id])
  if (asAuthor === undefined || asMerger === undefined || issue === undefined || issue.is_pull) return
  const repo = await findRepository(asAuthor, issue.repository_id)
  if (repo === undefined || repo.access.archived) return
  if (!mayWrite(repo, false) && !isTheirs(asAuthor, false, issue)) return
  const needsMerger = closing.restriction !== undefined || closing.is_commit === true
  if (needsMerger && !(await mayClose(asMerger, issue))) return
  const change = beginChange(issue, asSignedIn({ ctx: asMerger }))
  const state = closing.action === 'closes' ? 'closed' : 'open'
  try {
    await editState(asMerger, change, repo, state, { commit: closing.commit })
  } catch (error) {
    // Compat: an issue with open dependencies stays open, without an error.
    if (error instanceof Problem && error.kind === 'precondition') return
    throw error
  }
  await countIssue(asMerger, issue, { ...issue, ...change.patch })
  await applyChange(asMerger, change)
}

/** A token that names only some repositories closes no issue in others, whatever the texts say. */
async function mayClose(ctx: Context, issue: IssueRow): Promise<boolean> {
  const repo = await findRepository(ctx, issue.repository_id)
  return (
    repo !== undefined && (mayWrite(repo, false) || (mayRead(repo, false) && isTheirs(ctx, false, issue)))
  )
}

/** undefined if the repository was deleted since the event. */
async function findRepository(ctx: Context, id: number): Promise<Repository | undefined> {
  try {
    return await getRepository(ctx, id)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not_found') return undefined
    throw error
  }
}
