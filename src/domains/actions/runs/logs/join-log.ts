/** Joins the pieces of a finished log into one object, and sweeps pieces without a task. */
import { Readable } from 'node:stream'
import { type Context, type TxContext, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { Problem } from '#platform/problem'
import { addJobs, type JobKind } from '#platform/queue'
import { isDone } from '../record/status.ts'
import { keyOf, listPieces, namePiece } from './pieces.ts'
import { readFrom } from './read-log.ts'
import { countLog } from './usage.ts'

const JOIN_JOB = 'join_action_log'
/** A runner may still send log lines after it has ended its task. */
const LAST_WORDS_MS = 60_000
/** Longer than any upload of a piece takes. */
const ORPHAN_KEPT_MS = 24 * 3_600_000
const SWEPT_AT_ONCE = 500

export async function orderJoin(
  ctx: TxContext,
  taskIds: readonly number[],
  waitMs = LAST_WORDS_MS,
): Promise<void> {
  const attemptsMax = ctx.config['jobs.attempts_max']
  await addJobs(
    ctx,
    taskIds.map((task_id) => ({
      kind: JOIN_JOB,
      payload: { task_id },
      key: `${JOIN_JOB}:${task_id}`,
      waitMs,
      // A join that is already scheduled sooner, because the log is complete, keeps its time.
      keepsTime: true,
      attemptsMax,
    })),
  )
}

export const logJobs: readonly JobKind[] = [
  { name: JOIN_JOB, run: (ctx, order) => joinLog(ctx, (order as { task_id: number }).task_id) },
]

/** No lines can be added afterwards. */
async function joinLog(ctx: Context, taskId: number): Promise<void> {
  const isFinal = await transact(ctx, async (ctx) => {
    const task = await ctx.db
      .selectFrom('action_task')
      .select(['id', 'repository_id', 'status', 'is_log_done', 'counted_log_bytes'])
      .where('id', '=', taskId)
      .forUpdate()
      .executeTakeFirst()
    if (task === undefined || !(task.is_log_done || isDone(task.status))) return false
    await ctx.db
      .updateTable('action_task')
      // The masks are kept while the task runs: outputs may arrive after the log and are masked as well.
      .set({ is_log_done: true, ...(isDone(task.status) && { sealed_masks: null }) })
      .where('id', '=', taskId)
      .execute()
    await countLog(ctx, task)
    return true
  })
  const pieces = isFinal ? await listPieces(ctx.db, taskId) : []
  if (pieces.length < 2) return
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  const lines = pieces.reduce((sum, piece) => sum + piece.lines, 0)
  const object_key = keyOf(taskId)
  const created_at = ctx.now()
  await transact(ctx, (ctx) =>
    ctx.db.insertInto('action_log_piece').values({ object_key, task_id: null, created_at }).execute(),
  )
  const content = Readable.from(readFrom(ctx, taskId), { objectMode: false })
  await ctx.store.create(object_key, content, { bytes, signal: ctx.signal })
  await transact(ctx, async (ctx) => {
    const gone = await ctx.db
      .deleteFrom('action_log_piece')
      .where('task_id', '=', taskId)
      .returning('object_key')
      .execute()
    // The task was deleted meanwhile; the joined log has no task and is swept.
    if (gone.length === 0) return
    if (!(await namePiece(ctx.db, object_key, { task_id: taskId, first_line: 0, lines, bytes })))
      throw new Problem('unavailable', 'joined log was swept before it was named')
    await discardObjects(
      ctx,
      gone.map((piece) => piece.object_key),
    )
  })
}

/** Deletes pieces whose task was deleted or whose upload never finished. */
export async function sweepLogs(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ORPHAN_KEPT_MS)
  for (let swept = SWEPT_AT_ONCE; swept === SWEPT_AT_ONCE; )
    swept = await transact(ctx, async (ctx) => {
      const gone = await ctx.db
        .deleteFrom('action_log_piece')
        .where('object_key', 'in', (eb) =>
          eb
            .selectFrom('action_log_piece')
            .select('object_key')
            .where('task_id', 'is', null)
            .where('created_at', '<', before)
            .orderBy('created_at')
            .limit(SWEPT_AT_ONCE),
        )
        .where('task_id', 'is', null)
        .returning('object_key')
        .execute()
      await discardObjects(
        ctx,
        gone.map((piece) => piece.object_key),
      )
      return gone.length
    })
}
