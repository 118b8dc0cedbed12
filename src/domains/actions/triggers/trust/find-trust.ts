/** Reads the facts about a run's origin from rows; client input has no influence. */

import { ACTIONS_BOT_ID } from '#domains/code/keys'
import { findAccessOf, type Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { findAccountById, refusalOf } from '#domains/people/users'
import type { PullRow } from '#domains/review/pulls'
import type { Context } from '#platform/context'
import { decideTrust, type Flow, mayStart, type Standing, type Trust } from './decide-trust.ts'

/** The facts about a run on which trust depends. */
export interface Subject {
  readonly event: string
  readonly sha: string
  readonly actorId: number
  /** The issue of the pull request whose head or base runs. */
  readonly issueId?: number | undefined
  /** The commit is a merge that the merge queue made. */
  readonly isQueued?: boolean | undefined
}

/** Null if the pull request was deleted. */
export async function findTrust(
  ctx: Context,
  repo: Repository,
  { event, sha, actorId, issueId, isQueued = false }: Subject,
): Promise<Trust | null> {
  const pull = issueId === undefined ? undefined : await findPeople(ctx, repo.id, issueId, sha)
  if (issueId !== undefined && pull === undefined) return null
  const standings = new Map<number | null, Promise<Standing>>()
  const standingOf = (id: number | null) => {
    const found = standings.get(id) ?? findStanding(ctx, repo.id, id)
    standings.set(id, found)
    return found
  }
  return decideTrust({
    event,
    flow: isQueued ? 'queue' : pull === undefined ? 'ref' : flowOf(repo.id, pull),
    author: await standingOf(pull?.author_id ?? null),
    pusher: await standingOf(pull?.pusher_id ?? null),
    actor: await standingOf(actorId),
    repository: rulesOf(repo),
  })
}

/** Whether an action of this account can start runs, other than by dispatch. */
export function startsRuns(repo: Repository, actorId: number | null): boolean {
  return mayStart({ event: '', isJob: actorId === ACTIONS_BOT_ID, repository: rulesOf(repo) })
}

function rulesOf({ access }: Repository) {
  return { hasActions: may(access, 'read', 'actions'), isArchived: access.archived }
}

/** `pusher_id`: of the newest version with this commit; null if the version was not recorded by a push. */
function findPeople(ctx: Context, repositoryId: number, issueId: number, sha: string) {
  return ctx.db
    .selectFrom('pull_request')
    .innerJoin('issue', 'issue.id', 'pull_request.issue_id')
    .select(['pull_request.flow', 'pull_request.head_repository_id', 'issue.author_id'])
    .select((eb) =>
      eb
        .selectFrom('pull_version')
        .select('pull_version.pusher_id')
        .whereRef('pull_version.issue_id', '=', 'pull_request.issue_id')
        .where('pull_version.head_oid', '=', sha)
        .orderBy('pull_version.version', 'desc')
        .limit(1)
        .as('pusher_id'),
    )
    .where('pull_request.issue_id', '=', issueId)
    .where('pull_request.repository_id', '=', repositoryId)
    .executeTakeFirst()
}

function flowOf(repositoryId: number, pull: Pick<PullRow, 'flow' | 'head_repository_id'>): Flow {
  if (pull.flow === 'agit') return 'agit'
  return pull.head_repository_id === repositoryId ? 'branch' : 'fork'
}

async function findStanding(ctx: Context, repositoryId: number, id: number | null): Promise<Standing> {
  if (id === null) return 'stranger'
  if (id === ACTIONS_BOT_ID) return 'job'
  const account = await findAccountById(ctx.db, id)
  if (account === undefined || account.is_restricted || refusalOf(account) !== null) return 'stranger'
  const access = await findAccessOf(ctx, repositoryId, account)
  if (access !== undefined && (may(access, 'write', 'code') || may(access, 'write', 'actions')))
    return 'writer'
  return (await wasApproved(ctx, repositoryId, id)) ? 'contributor' : 'stranger'
}

/** Whether a run of a commit that the account pushed to its own pull request was ever approved. */
async function wasApproved(ctx: Context, repositoryId: number, accountId: number): Promise<boolean> {
  const run = await ctx.db
    .selectFrom('action_run')
    .innerJoin('issue', 'issue.id', 'action_run.issue_id')
    .innerJoin('pull_version', (on) =>
      on
        .onRef('pull_version.issue_id', '=', 'action_run.issue_id')
        .onRef('pull_version.head_oid', '=', 'action_run.head_sha'),
    )
    .select('action_run.id')
    .where('action_run.repository_id', '=', repositoryId)
    .where('action_run.actor_id', '=', accountId)
    .where('action_run.approver_id', 'is not', null)
    .where('issue.author_id', '=', accountId)
    .where('pull_version.pusher_id', '=', accountId)
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}
