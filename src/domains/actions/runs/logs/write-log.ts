/**
 * Writes logs of runners: in order, each line once, masked, one object for each piece. A piece is stored before its
 * row refers to it, so readers never wait for one.
 */
import { isFull } from '#domains/people/quotas'
import { type Context, type TxContext, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { notFound } from '#platform/problem'
import type { TaskRow } from '../record/tables.ts'
import { lastContactAt } from '../tasks/last-contact.ts'
import { hideSecrets } from './hide-secrets.ts'
import { orderJoin } from './join-log.ts'
import { keyOf, namePiece } from './pieces.ts'

export interface LogLine {
  readonly time: Date
  readonly content: string
}

export interface LogReport {
  readonly task_id: number
  /** Number of the first line. */
  readonly index: number
  readonly lines: readonly LogLine[]
  readonly isLast: boolean
}

/** The runner sends the rest again. */
const PIECE_LENGTH_MAX = 1_048_576
const LINE_LENGTH_MAX = 65_536
/** Lines that may begin a secret are not acknowledged until more lines arrive. */
const HELD_LINES_MAX = 50
const FULL = 'The log is too long: what comes after this line was dropped.'
const QUOTA = 'quota exceeded: log storage of the owner is full, so the rest of this log was dropped'

/** Returns the number of acknowledged lines: never fewer than the runner knows of, never more than it sent. */
export async function writeLog(ctx: Context, runnerId: number, report: LogReport): Promise<number> {
  const { index, lines } = report
  const task = await findTask(ctx, runnerId, report.task_id)
  const sent = index + lines.length
  // The task was ended by the forge: acknowledge, or the runner would retry forever.
  if (task.is_log_done || task.is_lost || task.status === 'cancelled') return sent
  const skipped = task.log_lines - index
  if (skipped < 0 || (skipped >= lines.length && !report.isLast)) return Math.min(task.log_lines, sent)
  const rest = takeSome(lines.slice(skipped))
  const isAll = skipped + rest.length >= lines.length
  const contents = rest.map(({ content }) => oneLine(content))
  const masked = await hideSecrets(ctx, task.sealed_masks, contents)
  const open = report.isLast && isAll ? 0 : masked.open
  const taken = rest.length - (open > HELD_LINES_MAX ? 0 : open)
  const shown = masked.lines.slice(0, taken)
  const texts = shown.map((content, i) => `${stampOf(rest[i]?.time)} ${content}\n`)
  const stored = await append(ctx, task, texts, report.isLast && isAll)
  return stored === undefined ? Math.min((await findTask(ctx, runnerId, task.id)).log_lines, sent) : stored
}

interface Task
  extends Pick<
    TaskRow,
    'id' | 'status' | 'is_lost' | 'is_log_done' | 'log_lines' | 'log_bytes' | 'sealed_masks'
  > {
  /** Of all ended logs of the owner; null while there is none. */
  readonly used: number | null
  /** The owner's own limit. */
  readonly bytes_max: number | null
}

async function findTask(ctx: Context, runnerId: number, id: number): Promise<Task> {
  const task = await ctx.db
    .selectFrom('action_task')
    .innerJoin('repository', 'repository.id', 'action_task.repository_id')
    .leftJoin('account_usage', (join) =>
      join
        .onRef('account_usage.account_id', '=', 'repository.owner_id')
        .on('account_usage.kind', '=', 'logs'),
    )
    .select(['action_task.id', 'status', 'is_lost', 'is_log_done', 'log_lines', 'log_bytes', 'sealed_masks'])
    .select(['account_usage.bytes as used', 'account_usage.bytes_max'])
    .where('action_task.id', '=', id)
    .where('runner_id', '=', runnerId)
    .executeTakeFirst()
  if (task === undefined) throw notFound('task', id)
  return task
}

/** At least one line: lines are truncated before they can exceed the limit. */
function takeSome(lines: readonly LogLine[]): readonly LogLine[] {
  let length = 0
  const end = lines.findIndex(({ content }) => {
    length += content.length
    return length > PIECE_LENGTH_MAX
  })
  return end < 0 ? lines : lines.slice(0, Math.max(1, end))
}

/** Compat: one row of the runner is one line, so line breaks are escaped. */
function oneLine(content: string): string {
  return content
    .slice(0, LINE_LENGTH_MAX)
    .replaceAll(/\r?\n/g, '\\n')
    .replaceAll(/[\r\0]/g, '')
}

/** With seven fractional digits, as clients of logs expect. */
function stampOf(time: Date | undefined): string {
  return (time ?? new Date(0)).toISOString().replace('Z', '0000Z')
}

/**
 * Undefined if nothing was added: a concurrent call stored the same lines, or the piece was swept before its row was
 * updated.
 */
async function append(
  ctx: Context,
  task: Task,
  texts: readonly string[],
  isLast: boolean,
): Promise<number | undefined> {
  const { kept, isFull } = fitting(ctx, task, texts)
  const bytes = Buffer.from(kept.join(''))
  const log_bytes = isFull ? ctx.config['actions.log_bytes_max'] : task.log_bytes + bytes.length
  const key = bytes.length === 0 ? undefined : await storePiece(ctx, task.id, bytes)
  const log_lines = task.log_lines + texts.length
  return transact(ctx, async (ctx) => {
    const moved = await ctx.db
      .updateTable('action_task')
      .set({ log_lines, log_bytes, heard_at: lastContactAt(ctx), is_log_done: isLast })
      .where('id', '=', task.id)
      .where('log_lines', '=', task.log_lines)
      .where('is_log_done', '=', false)
      .returning('id')
      .executeTakeFirst()
    if (moved === undefined) {
      if (key !== undefined) await dropPiece(ctx, key)
      return undefined
    }
    const facts = { task_id: task.id, first_line: task.log_lines, lines: texts.length, bytes: bytes.length }
    if (key !== undefined && !(await namePiece(ctx.db, key, facts))) throw new PieceSwept()
    if (isLast) await orderJoin(ctx, [task.id], 0)
    return log_lines
  }).catch((error: unknown) => {
    if (error instanceof PieceSwept) return undefined
    throw error
  })
}

/** Rolls back: lines whose piece was swept are not acknowledged, so the runner sends them again. */
class PieceSwept extends Error {}

/** Lines beyond a limit are counted but dropped: a long log does not fail the job. */
function fitting(
  ctx: Context,
  task: Task,
  texts: readonly string[],
): { readonly kept: readonly string[]; readonly isFull: boolean } {
  const left = ctx.config['actions.log_bytes_max'] - task.log_bytes
  if (left <= 0) return { kept: [], isFull: true }
  if (isFull(ctx.config, 'logs', task.used ?? 0, task.bytes_max))
    return { kept: [`${stampOf(ctx.now())} ${QUOTA}\n`], isFull: true }
  let bytes = 0
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text)
    return bytes > left
  })
  if (end < 0) return { kept: texts, isFull: false }
  return { kept: [...texts.slice(0, end), `${stampOf(ctx.now())} ${FULL}\n`], isFull: true }
}

async function storePiece(ctx: Context, taskId: number, bytes: Buffer): Promise<string> {
  const object_key = keyOf(taskId)
  await transact(ctx, (ctx) =>
    ctx.db
      .insertInto('action_log_piece')
      .values({ object_key, task_id: null, created_at: ctx.now() })
      .execute(),
  )
  await ctx.store.create(object_key, bytes, { bytes: bytes.length, signal: ctx.signal })
  return object_key
}

async function dropPiece(ctx: TxContext, key: string): Promise<void> {
  await ctx.db.deleteFrom('action_log_piece').where('object_key', '=', key).execute()
  await discardObjects(ctx, [key])
}
