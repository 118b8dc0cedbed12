/** The log of a job for readers: by line and step, from any line. */
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { getJob } from '../lists/job-routes.ts'
import type { ReadableRuns } from '../open.ts'
import { isDone } from '../record/status.ts'
import type { LogPieceRow, StepRow } from '../record/tables.ts'
import { listPieces } from './pieces.ts'
import { openLog, readFrom } from './read-log.ts'

export interface TextLine {
  /** From 0, over all steps. */
  readonly number: number
  readonly at: string
  readonly text: string
}

export interface JobLog {
  readonly isDone: boolean
  /** In order, without overlaps. */
  readonly steps: readonly StepRow[]
  /** Number of lines stored when the log was opened. */
  readonly lines: number
  /** Only lines stored at opening: later lines belong to steps that are not loaded. */
  read(from: number, most: number): AsyncGenerator<TextLine>
  /** The whole log as stored. */
  open(): Promise<Readable>
}

/** Lines begin with their timestamp. */
const LINE = /^(\S+) ?(.*)$/s

const NOTHING = {
  steps: [],
  lines: 0,
  read: async function* () {},
  open: async () => Readable.from([]),
}

export async function openJobLog(ctx: Context, runs: ReadableRuns, jobId: number): Promise<JobLog> {
  const job = await getJob(ctx, runs, jobId)
  const taskId = job.task_id
  if (taskId === null) return { ...NOTHING, isDone: isDone(job.status) }
  const [steps, pieces] = await Promise.all([
    ctx.db.selectFrom('action_step').selectAll().where('task_id', '=', taskId).orderBy('position').execute(),
    listPieces(ctx.db, taskId),
  ])
  const last = pieces.at(-1)
  const lines = last === undefined ? 0 : last.first_line + last.lines
  return {
    isDone: isDone(job.status),
    steps: disjoint(steps, lines),
    lines,
    read: (from, most) => readLines(ctx, taskId, pieces, { from, end: Math.min(lines, from + most) }),
    open: () => openLog(ctx, taskId),
  }
}

/**
 * Runners report where steps begin and end, and are not trusted: a step begins where the previous one ends, or later.
 */
function disjoint(steps: readonly StepRow[], lines: number): StepRow[] {
  let end = 0
  return steps.map((step) => {
    const log_index = Math.min(Math.max(step.log_index, end), lines)
    const log_length = Math.max(0, Math.min(step.log_index + step.log_length, lines) - log_index)
    end = log_index + log_length
    return { ...step, log_index, log_length }
  })
}

/** Starts at the piece that contains the first requested line. */
async function* readLines(
  ctx: Context,
  taskId: number,
  pieces: readonly LogPieceRow[],
  { from, end }: { readonly from: number; readonly end: number },
): AsyncGenerator<TextLine> {
  if (from >= end) return
  const before = pieces.filter(({ first_line, lines }) => first_line + lines <= from)
  let number = before.reduce((sum, { lines }) => sum + lines, 0)
  const skipped = before.reduce((sum, { bytes }) => sum + bytes, 0)
  for await (const line of linesOf(readFrom(ctx, taskId, skipped))) {
    if (number >= from) yield parse(number, line)
    number++
    if (number >= end) return
  }
}

function parse(number: number, line: string): TextLine {
  const [, at = '', text = ''] = LINE.exec(line) ?? []
  return { number, at, text }
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
