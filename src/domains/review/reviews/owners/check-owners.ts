/**
 * Finds the code owners for every head of a pull request, in a job because it runs git. Requests their reviews once:
 * when the pull request is opened, or when it is no longer a draft.
 */

import { getRepository } from '#domains/code/repositories'
import { actAs } from '#domains/people/users'
import { findPullOf, lockPull } from '#domains/review/pulls'
import { findIssuesById, isDraft, lockIssues } from '#domains/work/issues'
import { type Consumer, consumer } from '#events/consumer'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { asSignedIn } from '#platform/rest'
import { type Asking, addRequests, keepAskable } from '../requests/request-reviews.ts'
import { type FoundOwners, findOwners } from './find-owners.ts'
import { findCheck, setOwners } from './store.ts'

const OWNERS_JOB = 'reviews-owners'

interface Order {
  readonly issue_id: number
}

export const ownersConsumers = [
  consumer('reviews-owners-opened', 'pull.opened', (ctx, { issue_id }) => order(ctx, issue_id)),
  consumer('reviews-owners-ready', 'pull.ready', (ctx, { issue_id }) => order(ctx, issue_id)),
  consumer('reviews-owners-pushed', 'pull.synchronized', (ctx, { issue_id }) => order(ctx, issue_id)),
  consumer('reviews-owners-retargeted', 'pull.retargeted', (ctx, { issue_id }) => order(ctx, issue_id)),
] as readonly Consumer[]

export const ownersJobs: readonly JobKind[] = [
  { name: OWNERS_JOB, isLate: true, run: (ctx, payload) => checkOwners(ctx, (payload as Order).issue_id) },
]

function order(ctx: TxContext, issueId: number): Promise<void> {
  const payload: Order = { issue_id: issueId }
  return addJobs(ctx, [
    {
      kind: OWNERS_JOB,
      payload,
      key: `${OWNERS_JOB}:${issueId}`,
      attemptsMax: ctx.config['jobs.attempts_max'],
    },
  ])
}

/** If the head moves meanwhile, the job of that move does the work. */
async function checkOwners(ctx: Context, issueId: number): Promise<void> {
  const pull = await findPullOf(ctx.db, issueId)
  if (pull === undefined || !pull.is_open) return
  const [issue] = await findIssuesById(ctx.db, [issueId])
  const asAuthor = await actAs(ctx, issue?.author_id ?? 0)
  const repo = await getRepository(asAuthor ?? ctx, pull.repository_id)
  const found = await findOwners(asAuthor ?? ctx, repo, pull)
  await transact(asAuthor ?? ctx, async (ctx) => {
    const [issue] = await lockIssues(ctx.db, [issueId])
    const now = await lockPull(ctx.db, issueId)
    const isSame = now.head_oid === pull.head_oid && now.base_branch === pull.base_branch
    if (issue === undefined || !isSame || !now.is_open) return
    const wasAsked = (await findCheck(ctx.db, issueId))?.is_asked ?? false
    const asks = !wasAsked && !isDraft(issue) && asAuthor !== undefined
    await setOwners(ctx.db, now, found, wasAsked || asks)
    if (asks) await ask(ctx, { repo, issue, pull: now, actor: asSignedIn({ ctx }) }, found)
  })
}

/** Requests as the author; skips owners who cannot be requested. */
async function ask(ctx: TxContext, asking: Asking, { rules }: FoundOwners): Promise<void> {
  const once = <T extends { readonly id: number }>(all: readonly T[]) => [
    ...new Map(all.map((it) => [it.id, it])).values(),
  ]
  const owners = {
    people: once(rules.flatMap(({ people }) => people)),
    teams: once(rules.flatMap(({ teams }) => teams)),
  }
  await addRequests(ctx, asking, await keepAskable(ctx, asking, owners))
}
