/** Updates reviews when head or base of their pull request change, in the same transaction. */

import { findOfficialReviewers, findOfficialTeams, findRuleFor } from '#domains/code/protections'
import { getRepository } from '#domains/code/repositories'
import { findTeams } from '#domains/people/orgs'
import { findPullOf } from '#domains/review/pulls'
import type { Events } from '#events'
import type { TxContext } from '#platform/context'
import { tellOfDismissal } from './dismiss.ts'
import { dismissStale, listDeciding, markStale, setOfficial } from './store.ts'

const WHY = 'new commits were pushed: the approval was dismissed by the branch protection'

/** Reviews of another head become stale. Approvals are dismissed if the rule of the base says so. */
export async function markReviewsStale(ctx: TxContext, event: Events['pull.synchronized']): Promise<void> {
  const { issue_id, repository_id, after, actor_id } = event
  await markStale(ctx.db, issue_id, after)
  const pull = await findPullOf(ctx.db, issue_id)
  if (pull === undefined) return
  const rule = await findRuleFor(ctx.db, repository_id, pull.base_branch)
  if (!rule?.dismiss_stale_approvals) return
  const dismissed = await dismissStale(ctx.db, issue_id, after, ctx.now())
  if (dismissed.length > 0) await tellOfDismissal(ctx, pull, { id: actor_id }, dismissed, WHY)
}

/** Another base branch has other official reviewers. */
export async function decideOfficialAgain(
  ctx: TxContext,
  { issue_id, repository_id, new_base }: Events['pull.retargeted'],
): Promise<void> {
  const deciding = await listDeciding(ctx.db, issue_id)
  if (deciding.length === 0) return
  const repo = await getRepository(ctx, repository_id)
  const teams = await findTeams(
    ctx.db,
    deciding.flatMap(({ team_id }) => team_id ?? []),
  )
  const people = await findOfficialReviewers(
    ctx.db,
    repo,
    new_base,
    deciding.flatMap(({ reviewer_id }) => reviewer_id ?? []),
  )
  const official = await findOfficialTeams(ctx.db, repo, new_base, [...teams.values()])
  const [counting, others] = [true, false].map((isCounting) =>
    deciding
      .filter((it) => (people.has(it.reviewer_id ?? 0) || official.has(it.team_id ?? 0)) === isCounting)
      .map(({ id }) => id),
  )
  await setOfficial(ctx.db, counting ?? [], true)
  await setOfficial(ctx.db, others ?? [], false)
}
