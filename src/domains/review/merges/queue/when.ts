/** Which events advance a queue, and which remove an entry in their own transaction. */

import type { RefsMovedEvent } from '#domains/code/repositories'
import { findStatus, type StatusEvent } from '#domains/code/statuses'
import { actAs } from '#domains/people/users'
import { findPullOf } from '#domains/review/pulls'
import { type IssueEvent, lockIssues } from '#domains/work/issues'
import { type Consumer, consumer } from '#events/consumer'
import { type Handler, handler } from '#events/handler'
import { HEADS } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import type { JobKind } from '#platform/queue'
import { asSignedIn } from '#platform/rest'
import { deleteHead } from '../merging/delete-head.ts'
import { advance } from './advance.ts'
import { LANDED_JOB, type LandedOrder } from './land-together.ts'
import { type Leaving, leave } from './leave.ts'
import { orderAdvance, QUEUE_JOB } from './order.ts'
import { deleteEntry, findEntry, listQueues, listQueuesOf, listQueuesTesting, type Queue } from './store.ts'

/** Queues per run, longest waiting first; the next run takes the rest. */
const WOKEN_MAX = 1_000

export const queueConsumers: readonly Consumer[] = [
  consumer('merges-queue-status', 'status.created', hearStatus),
  consumer('merges-queue-moved', 'refs.moved', hearOfBases),
] as readonly Consumer[]

/** Handlers run in the transaction of the event, so that an entry that changed is never merged. */
export const queueHandlers: readonly Handler[] = [
  handler('pull.synchronized', (ctx, event) => drop(ctx, event, 'head branch was updated')),
  handler('pull.retargeted', (ctx, event) => drop(ctx, event, 'base branch was changed', event.old_base)),
  handler('issue.closed', async (ctx, event) => {
    if (event.is_pull) await drop(ctx, event, 'pull request was closed')
  }),
  handler('pull.merged', async (ctx, { issue_id }) => {
    await deleteEntry(ctx.db, issue_id)
  }),
] as readonly Handler[]

export const queueJobs: readonly JobKind[] = [
  { name: QUEUE_JOB, run: (ctx, payload) => advance(ctx, payload as Queue) },
  { name: LANDED_JOB, run: (ctx, payload) => finish(ctx, payload as LandedOrder) },
]

/** Covers checks that time out and rules that were relaxed, for which there is no event. */
export const queueTasks: readonly CronTask[] = [
  {
    name: 'advance_merge_queues',
    schedule: '@every 1m',
    run: async (ctx) => {
      const queues = await listQueues(ctx.db, WOKEN_MAX)
      await transact(ctx, (ctx) => orderAdvance(ctx, queues))
    },
  },
]

async function hearStatus(ctx: TxContext, { status_id, repository_id }: StatusEvent): Promise<void> {
  const status = await findStatus(ctx.db, status_id)
  if (status !== undefined)
    await orderAdvance(ctx, await listQueuesTesting(ctx.db, repository_id, status.oid))
}

async function hearOfBases(ctx: TxContext, { repository_id, updates }: RefsMovedEvent): Promise<void> {
  const branches = updates.flatMap(({ name }) => (name.startsWith(HEADS) ? name.slice(HEADS.length) : []))
  if (branches.length > 0) await orderAdvance(ctx, await listQueuesOf(ctx.db, repository_id, branches))
}

async function drop(ctx: TxContext, event: IssueEvent, reason: string, branch?: string): Promise<void> {
  const { issue_id, actor_id } = event
  if ((await findEntry(ctx.db, issue_id)) === undefined) return
  await lockIssues(ctx.db, [issue_id])
  const leaving: Leaving = { reason, actor: { id: actor_id }, ...(branch === undefined ? {} : { branch }) }
  await leave(ctx, issue_id, leaving)
}

/** Deletes the head branch of a merged entry, if its user chose so and may still delete it. */
async function finish(ctx: Context, { issue_id, actor_id, deletes_branch }: LandedOrder): Promise<void> {
  const as = await actAs(ctx, actor_id)
  const pull = await findPullOf(ctx.db, issue_id)
  if (as === undefined || pull === undefined) return
  await deleteHead(as, asSignedIn({ ctx: as }), pull, deletes_branch)
}
