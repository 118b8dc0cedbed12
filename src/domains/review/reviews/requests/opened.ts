/** Requests the reviews given with a new pull request. If one cannot be requested, the pull request is not opened. */

import { getRepository } from '#domains/code/repositories'
import { lockPull } from '#domains/review/pulls'
import { findIssuesById } from '#domains/work/issues'
import type { Events } from '#events'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { asSignedIn } from '#platform/rest'
import { findNamed } from './find-named.ts'
import { addRequests } from './request-reviews.ts'

export async function askWithOpening(ctx: TxContext, event: Events['pull.opened']): Promise<void> {
  const { reviewers, team_reviewers, issue_id } = event
  if (reviewers.length === 0 && team_reviewers.length === 0) return
  const repo = await getRepository(ctx, event.repository_id)
  const [issue] = await findIssuesById(ctx.db, [issue_id])
  const named = await findNamed(ctx, repo, { reviewers, team_reviewers })
  await addRequests(
    ctx,
    {
      repo,
      issue: must(issue, 'a pull request has an issue'),
      pull: await lockPull(ctx.db, issue_id),
      actor: asSignedIn({ ctx }),
    },
    named,
  )
}
