/**
 * Scheduled workflows: the crons of the default branch are stored in `action_schedule` whenever the branch moves, and
 * a cron task starts the due ones.
 */
import { sql } from 'kysely'
import { findAsOwner } from '#domains/code/repositories'
import { type Consumer, late, preparedConsumer } from '#events/consumer'
import { findRef, HEADS } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { type CronTask, nextRun } from '#platform/cron'
import { addJobs, type JobKind } from '#platform/queue'
import { findWorkflows } from '../files/find-workflows.ts'
import { findOrders, orderRuns } from '../start/order-runs.ts'
import type { ScheduleRow } from '../tables.ts'
import { startsRuns } from '../trust/find-trust.ts'

const START_JOB = 'start_schedule'
/** The next run of the task takes the rest. */
const DUE_MAX = 500

interface Written {
  readonly file: string
  readonly cron: string
}

export const scheduleConsumers = [
  preparedConsumer(
    'triggers-schedules',
    'refs.moved',
    async (ctx, { repository_id, updates }) => {
      const repo = await findAsOwner(ctx, repository_id)
      const isMoved = updates.some(({ name }) => repo !== undefined && name === HEADS + repo.default_branch)
      return isMoved ? findWritten(ctx, repository_id) : undefined
    },
    async (ctx, { repository_id, actor_id }, _meta, written) => {
      if (written !== undefined) await writeDown(ctx, repository_id, actor_id, written)
    },
  ),
  preparedConsumer(
    'triggers-schedules-branch',
    'repository.default_branch_changed',
    (ctx, { repository_id }) => findWritten(ctx, repository_id),
    (ctx, { repository_id, actor_id }, _meta, written) => writeDown(ctx, repository_id, actor_id, written),
  ),
].map((it) => late(it as unknown as Consumer)) as readonly Consumer[]

async function findWritten(ctx: Context, repositoryId: number): Promise<Written[]> {
  const repo = await findAsOwner(ctx, repositoryId)
  const head = repo && (await findRef(ctx.db, repo.storage_id, HEADS + repo.default_branch))
  if (repo === undefined || head === undefined) return []
  const found = await findWorkflows(ctx, repo, head.oid)
  return found.flatMap(({ file, read }) =>
    [...new Set(read?.triggers.flatMap(({ crons = [] }) => crons))].map((cron) => ({ file, cron })),
  )
}

/** Replaces the repository's schedules; an unchanged one keeps its `next_at`. */
async function writeDown(
  ctx: TxContext,
  repository_id: number,
  actor_id: number,
  written: readonly Written[],
): Promise<void> {
  const now = ctx.now()
  const rows = written.flatMap(({ file: workflow_file, cron }): ScheduleRow[] => {
    const next_at = nextRun(cron, now)
    return next_at === null ? [] : [{ repository_id, workflow_file, cron, actor_id, next_at }]
  })
  const gone = ctx.db.deleteFrom('action_schedule').where('repository_id', '=', repository_id)
  const keys = rows.map(({ workflow_file, cron }) => `${workflow_file}\n${cron}`)
  const key = sql<string>`workflow_file || E'\\n' || cron`
  await (keys.length === 0 ? gone : gone.where(key, 'not in', keys)).execute()
  if (rows.length > 0)
    await ctx.db
      .insertInto('action_schedule')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['repository_id', 'workflow_file', 'cron']).doUpdateSet({ actor_id }),
      )
      .execute()
}

export const scheduleTasks: readonly CronTask[] = [
  { name: 'start_schedule_tasks', schedule: '@every 1m', run: (ctx) => transact(ctx, orderDue) },
]

/** Sets `next_at` of all due schedules and queues one job for each, so that one failure does not block the others. */
async function orderDue(ctx: TxContext): Promise<void> {
  const now = ctx.now()
  const due = await ctx.db
    .selectFrom('action_schedule')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(DUE_MAX)
    .forUpdate()
    .skipLocked()
    .execute()
  for (const { repository_id, workflow_file, cron } of due)
    await ctx.db
      .updateTable('action_schedule')
      .set({ next_at: nextRun(cron, now) ?? now })
      .where('repository_id', '=', repository_id)
      .where('workflow_file', '=', workflow_file)
      .where('cron', '=', cron)
      .execute()
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(
    ctx,
    due.map(({ next_at: _, ...payload }) => ({ kind: START_JOB, payload, attemptsMax })),
  )
}

type Due = Omit<ScheduleRow, 'next_at'>

export const scheduleJobs: readonly JobKind[] = [
  { name: START_JOB, run: (ctx, payload) => startScheduled(ctx, payload as Due) },
]

async function startScheduled(
  ctx: Context,
  { repository_id, workflow_file, cron, actor_id }: Due,
): Promise<void> {
  const repo = await findAsOwner(ctx, repository_id)
  if (repo === undefined || !startsRuns(repo, null)) return
  const ref = HEADS + repo.default_branch
  const head = await findRef(ctx.db, repo.storage_id, ref)
  if (head === undefined) return
  const orders = await findOrders(ctx, [
    {
      repo,
      actorId: actor_id ?? repo.owner_id,
      ref,
      sha: head.oid,
      payload: { schedule: cron },
      happening: { event: 'schedule', type: null },
    },
  ])
  const mine = orders.filter(({ file }) => file === workflow_file)
  await transact(ctx, (ctx) => orderRuns(ctx, mine))
}
