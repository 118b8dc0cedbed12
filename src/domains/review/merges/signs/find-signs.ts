/** What lists show of pull requests besides their issues: review state, checks, size, and whose turn it is. */
import { type BranchProtectionRow, loadMergeRules } from '#domains/code/protections'
import { loadInOrder, type Repository } from '#domains/code/repositories'
import { loadStates, type State } from '#domains/code/statuses'
import { may } from '#domains/people/access'
import { findListed } from '#domains/review/pulls'
import {
  countsOnlyFresh,
  findLackingOwners,
  findReviewTallies,
  type ReviewState,
  type ReviewTally,
} from '#domains/review/reviews'
import { findBlocked, findRequestedReviews, isDraft } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { decideOwnTurn, decideTurn, type OwnTurn, type Turn, type TurnFacts } from '../turns/decide-turn.ts'

export interface PullSigns {
  /** Undefined once the pull request is closed. */
  readonly reviewState: ReviewState | undefined
  /** What it waits for; undefined once it is closed. */
  readonly turn: Turn | undefined
  /** Why it is the caller's turn. */
  readonly ownTurn: OwnTurn | undefined
  /** Logins and team names whose review is requested. */
  readonly requested: readonly string[]
  /** Undefined if its head has no status. */
  readonly checks: State | undefined
  /** Undefined until git has computed it. */
  readonly size: { readonly additions: number; readonly deletions: number } | undefined
}

type Listed = Awaited<ReturnType<typeof findListed>>[number]

/**
 * By issue id, for the pull requests that the caller may read. The number of queries does not depend on theirs. `known`:
 * their repositories, if loaded already.
 */
export async function findSigns(
  ctx: Context,
  issueIds: readonly number[],
  known?: readonly Repository[],
): Promise<ReadonlyMap<number, PullSigns>> {
  const [pulls, tallies, requested] = await Promise.all([
    findListed(ctx, issueIds),
    findReviewTallies(ctx, issueIds),
    findRequestedReviews(ctx, issueIds),
  ])
  const stateOf = await loadStates(ctx.db, pulls.map(commitOf))
  const turnOf = await loadTurns(ctx, pulls, {
    tallies,
    requested,
    known,
    checksOf: (pull) => stateOf(commitOf(pull)),
  })
  return new Map(
    pulls.map((pull) => {
      const { issue_id: id, additions, deletions } = pull
      const tally = tallies.get(id)
      return [
        id,
        {
          ...turnOf(pull),
          reviewState: pull.is_open ? tally?.state : undefined,
          requested: tally?.requested ?? [],
          checks: stateOf(commitOf(pull)),
          size: additions === null || deletions === null ? undefined : { additions, deletions },
        },
      ]
    }),
  )
}

function commitOf(pull: Listed) {
  return { repositoryId: pull.repository_id, oid: pull.head_oid }
}

interface Loaded {
  readonly tallies: ReadonlyMap<number, ReviewTally>
  readonly requested: Awaited<ReturnType<typeof findRequestedReviews>>
  readonly known: readonly Repository[] | undefined
  readonly checksOf: (pull: Listed) => State | undefined
}

type Turns = Pick<PullSigns, 'turn' | 'ownTurn'>

/** Rules, repositories and dependencies of the open ones. */
async function loadTurns(
  ctx: Context,
  pulls: readonly Listed[],
  { tallies, requested, known, checksOf }: Loaded,
): Promise<(pull: Listed) => Turns> {
  const open = pulls.filter(({ is_open }) => is_open)
  if (open.length === 0) return () => ({ turn: undefined, ownTurn: undefined })
  const repositoryIds = [...new Set(open.map(({ repository_id }) => repository_id))]
  const [ruleOf, repositories] = await Promise.all([
    loadMergeRules(ctx.db, repositoryIds),
    known ?? loadInOrder(ctx, repositoryIds),
  ])
  const repos = new Map(repositories.map((repo) => [repo.id, repo]))
  const rules = new Map(open.map((pull) => [pull, ruleOf(pull.repository_id, pull.base_branch)]))
  const blocked = await findBlocked(ctx.db, open, repos)
  const asked = [...rules].flatMap(([pull, rule]) =>
    rule?.block_on_codeowner_reviews ? [{ pull, rule }] : [],
  )
  const lacking = await findLackingOwners(ctx.db, asked)
  return (pull) => {
    if (!pull.is_open) return { turn: undefined, ownTurn: undefined }
    const { issue_id: id } = pull
    const facts: TurnFacts = {
      ...factsOf(pull, rules.get(pull), tallies.get(id), lacking.has(id)),
      checks: checksOf(pull),
      isBlocked: blocked.has(id),
    }
    const turn = decideTurn(facts)
    const caller = {
      isAuthor: ctx.actor !== null && pull.author_id === ctx.actor.id,
      mayMerge: mayMergeInto(repos.get(pull.repository_id)),
      isRequested: isStillRequested(requested.get(id), tallies.get(id)),
    }
    return { turn, ownTurn: decideOwnTurn(turn, facts, caller) }
  }
}

function factsOf(
  pull: Listed,
  rule: BranchProtectionRow | undefined,
  tally: ReviewTally | undefined,
  lacksOwners: boolean,
): Omit<TurnFacts, 'checks' | 'isBlocked'> {
  const isChecked = pull.checked_head_oid === pull.head_oid
  const approvals = rule !== undefined && countsOnlyFresh(rule) ? tally?.freshApprovals : tally?.approvals
  return {
    isDraft: isDraft(pull),
    mergeability: isChecked ? pull.mergeability : 'checking',
    needsChecks: rule?.enable_status_check === true && rule.status_check_contexts.length > 0,
    reviewState: tally?.state,
    lacksApprovals: lacksOwners || (approvals ?? 0) < (rule?.required_approvals ?? 0),
    hasBlockingRequests:
      rule?.block_on_official_review_requests === true && tally?.hasOfficialRequests === true,
    isOutdated:
      rule?.block_on_outdated_branch === true && isChecked && pull.merge_base !== pull.checked_base_oid,
  }
}

function mayMergeInto(repo: Repository | undefined): boolean {
  return repo !== undefined && may(repo.access, 'write', 'code') && !repo.access.archived && !repo.is_mirror
}

/** The request of a team stays when one of its members has reviewed; for that member it is done until the next push. */
function isStillRequested(
  request: { readonly isPersonal: boolean } | undefined,
  tally: ReviewTally | undefined,
): boolean {
  return request !== undefined && (request.isPersonal || tally?.isReviewedByCaller !== true)
}
