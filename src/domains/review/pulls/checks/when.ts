/** When pull requests are checked again: after a push to head or base, and when a reader finds an outdated check. */
import type { RefsMovedEvent } from '#domains/code/repositories'
import { type Consumer, consumer } from '#events/consumer'
import { HEADS, isZeroOid } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { catchUp } from '../heads/catch-up.ts'
import { dropPullRefs } from '../heads/drop-refs.ts'
import { leaveBase } from '../heads/leave-base.ts'
import { leaveRepository } from '../heads/leave-branch.ts'
import { listAimedAt, listOrphans } from '../records/store.ts'
import { checkPull } from './check-pull.ts'
import { readClosingCommits } from './closing-commits.ts'

const CHECK_JOB = 'pulls-check'
const CATCH_UP_JOB = 'pulls-catch-up'
const LEAVE_BASE_JOB = 'pulls-leave-base'
const LEAVE_REPOSITORY_JOB = 'pulls-leave-repository'
/** Per deleted repository; the next deletion finds the rest. */
const ORPHANS_MAX = 1_000
/** Checked at once after a push to a base; the others when they are read. */
const CHECKED_EAGERLY_MAX = 10
/** Per deleted base branch. */
const LEAVING_MAX = 10_000

interface Order {
  readonly issue_id: number
}

export const checkConsumers: readonly Consumer[] = [
  consumer('pulls-checks-opened', 'pull.opened', (ctx, { issue_id }) => orderCheck(ctx, issue_id)),
  consumer('pulls-checks-pushed', 'pull.synchronized', (ctx, { issue_id }) => orderCheck(ctx, issue_id)),
  consumer('pulls-checks-retargeted', 'pull.retargeted', (ctx, { issue_id }) => orderCheck(ctx, issue_id)),
  consumer('pulls-drop-refs', 'pull.deleted', (ctx, { repository_id, number }) =>
    dropPullRefs(ctx, repository_id, number),
  ),
  consumer('pulls-checks-moved', 'refs.moved', hearOfBases),
  consumer('pulls-catches-up', 'issue.reopened', async (ctx, { issue_id, is_pull, actor_id }) => {
    if (is_pull) await orderCatchUp(ctx, issue_id, actor_id)
  }),
  consumer('pulls-close-orphans', 'repository.deleted', async (ctx, { actor_id }) => {
    const ids = await listOrphans(ctx.db, ORPHANS_MAX)
    const orders = ids.map((issue_id) => ({ key: String(issue_id), payload: { issue_id, actor_id } }))
    await order(ctx, LEAVE_REPOSITORY_JOB, orders)
  }),
] as readonly Consumer[]

export const checkJobs: readonly JobKind[] = [
  {
    name: CHECK_JOB,
    isLate: true,
    run: async (ctx, payload) => {
      const pull = await checkPull(ctx, (payload as Order).issue_id)
      if (pull?.is_open) await readClosingCommits(ctx, pull)
    },
  },
  {
    name: CATCH_UP_JOB,
    isLate: true,
    run: async (ctx, payload) => {
      const { issue_id, actor_id } = payload as Order & { readonly actor_id: number }
      await catchUp(ctx, issue_id, actor_id)
      const pull = await checkPull(ctx, issue_id)
      if (pull?.is_open) await readClosingCommits(ctx, pull)
    },
  },
  {
    name: LEAVE_BASE_JOB,
    isLate: true,
    run: async (ctx, payload) => {
      const { issue_id, actor_id } = payload as Order & { readonly actor_id: number }
      await leaveBase(ctx, issue_id, actor_id)
    },
  },
  {
    name: LEAVE_REPOSITORY_JOB,
    isLate: true,
    run: async (ctx, payload) => {
      const { issue_id, actor_id } = payload as Order & { readonly actor_id: number }
      await leaveRepository(ctx, issue_id, actor_id)
    },
  },
]

/** In its own transaction, because readers have none. */
export function askForCheck(ctx: Context, issueId: number): Promise<void> {
  return transact(ctx, (ctx) => orderCheck(ctx, issueId))
}

/** The account `actorId` appears in the timeline, but not as the pusher. */
export function orderCatchUp(ctx: TxContext, issueId: number, actorId: number): Promise<void> {
  const payload = { issue_id: issueId, actor_id: actorId }
  return order(ctx, CATCH_UP_JOB, [{ key: String(issueId), payload }])
}

function orderCheck(ctx: TxContext, issueId: number): Promise<void> {
  return order(ctx, CHECK_JOB, [{ key: String(issueId), payload: { issue_id: issueId } }])
}

async function order(
  ctx: TxContext,
  kind: string,
  orders: readonly { readonly key: string; readonly payload: object }[],
): Promise<void> {
  await addJobs(
    ctx,
    orders.map(({ key, payload }) => ({
      kind,
      payload,
      key: `${kind}:${key}`,
      attemptsMax: ctx.config['jobs.attempts_max'],
    })),
  )
}

async function hearOfBases(ctx: TxContext, event: RefsMovedEvent): Promise<void> {
  const branches = event.updates.filter(({ name }) => name.startsWith(HEADS))
  const namesOf = (isGone: boolean) =>
    branches.filter((it) => isZeroOid(it.new) === isGone).map(({ name }) => name.slice(HEADS.length))
  await orderFor(ctx, event, { kind: LEAVE_BASE_JOB, branches: namesOf(true), most: LEAVING_MAX })
  await orderFor(ctx, event, { kind: CHECK_JOB, branches: namesOf(false), most: CHECKED_EAGERLY_MAX })
}

/** The newest pull requests with one of these base branches. */
async function orderFor(
  ctx: TxContext,
  { repository_id, actor_id }: RefsMovedEvent,
  { kind, branches, most }: { readonly kind: string; readonly branches: string[]; readonly most: number },
): Promise<void> {
  if (branches.length === 0) return
  const pulls = await listAimedAt(ctx.db, repository_id, branches, most)
  const orders = pulls.map(({ issue_id }) => ({ key: String(issue_id), payload: { issue_id, actor_id } }))
  await order(ctx, kind, orders)
}
