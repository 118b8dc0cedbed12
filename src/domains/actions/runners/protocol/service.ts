/** The procedures that runners call: decode the message, call the verb, encode the answer. */
import type { JsonObject } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, type MethodImpl } from '@connectrpc/connect'
import {
  handBack,
  type Result as Outcome,
  type PreparedTask,
  prepareTask,
  reportTask,
  type StepReport,
  writeLog,
} from '#domains/actions/runs'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import type { RunnerRow } from '../record/tables.ts'
import { declare, register } from '../registration/register.ts'
import { contextOf, runnerOf } from './call.ts'
import type { PingService } from './gen/ping/v1/messages_pb.ts'
import { Result, type RunnerService, RunnerStatus, type TaskState } from './gen/runner/v1/messages_pb.ts'

type Methods = typeof RunnerService.method

/**
 * Compat: runners skip fetching if the version is unchanged, and 0 means none. Every request queries for jobs here,
 * so the version is constant.
 */
const TASKS_VERSION = 1n
/** A runner whose own timeout ends before the answer arrives must not be given a job. */
const MARGIN_MS = 1_000
const ROWS_MAX = 100_000

const RESULTS: Readonly<Record<Outcome, Result>> = {
  success: Result.SUCCESS,
  failure: Result.FAILURE,
  cancelled: Result.CANCELLED,
  skipped: Result.SKIPPED,
}
const OUTCOMES: ReadonlyMap<Result, Outcome> = new Map(
  Object.entries(RESULTS).map(([outcome, result]) => [result, outcome as Outcome]),
)

export const ping: MethodImpl<typeof PingService.method.ping> = ({ data }) => ({
  data: `Hello, ${data}!`,
})

export const registerRunner: MethodImpl<Methods['register']> = async (request, context) => {
  const { name, token, version, ephemeral, capabilities } = request
  const labels =
    request.labels.length > 0 ? request.labels : [...request.agentLabels, ...request.customLabels]
  const row = await register(contextOf(context), { name, token, version, labels, ephemeral, capabilities })
  return { runner: { ...presentRunner(row), token: row.token } }
}

export const declareRunner: MethodImpl<Methods['declare']> = async (request, context) => {
  const { version, labels, capabilities } = request
  const row = await declare(contextOf(context), runnerOf(context), { version, labels, capabilities })
  return { runner: presentRunner(row) }
}

/** Waits for a job; answers without a task if there is none before the timeout. */
export const fetchTask: MethodImpl<Methods['fetchTask']> = async (_request, context) => {
  const ctx = contextOf(context)
  const runner = runnerOf(context)
  const nothing = { tasksVersion: TASKS_VERSION }
  // An ephemeral runner that has finished its job.
  if (runner.deleted_at !== null) throw new ConnectError('unregistered runner', Code.Unauthenticated)
  ctx.dispatcher.heartbeats.note(ctx, runner, false)
  const patience = context.timeoutMs() ?? Number.POSITIVE_INFINITY
  const taken = await ctx.dispatcher.wait(
    ctx,
    runner,
    // A short client timeout leaves at least half of it for waiting.
    Math.min(ctx.config['runners.wait_ms'], Math.max(patience / 2, patience - MARGIN_MS)),
  )
  if (taken === undefined) return nothing
  ctx.dispatcher.heartbeats.note(ctx, runner, true)
  const own = detached(ctx)
  try {
    const task = await prepareTask(own, taken.task_id, taken.token)
    const isHeld = task !== undefined && performance.now() < taken.held_until
    if (isHeld && !ctx.signal.aborted) return { ...nothing, task: presentTask(task) }
  } catch (error) {
    await handBack(own, taken.task_id)
    throw error
  }
  await handBack(own, taken.task_id)
  return nothing
}

export const updateTask: MethodImpl<Methods['updateTask']> = async ({ state, outputs }, context) => {
  const ctx = contextOf(context)
  const runner = runnerOf(context)
  if (state === undefined) throw invalid('state is required')
  ctx.dispatcher.heartbeats.note(ctx, runner, true)
  const report = {
    task_id: Number(state.id),
    result: OUTCOMES.get(state.result),
    steps: state.steps.map(stepOf),
    outputs,
  }
  const reported = await reportTask(uninterrupted(ctx), runner.id, report)
  const result = reported.result === undefined ? Result.UNSPECIFIED : RESULTS[reported.result]
  return { state: { id: state.id, result }, sentOutputs: [...reported.outputs] }
}

export const updateLog: MethodImpl<Methods['updateLog']> = async (request, context) => {
  const ctx = contextOf(context)
  const runner = runnerOf(context)
  if (request.rows.length > ROWS_MAX) throw invalid('too many rows', { max: ROWS_MAX })
  ctx.dispatcher.heartbeats.note(ctx, runner, true)
  const ack = await writeLog(uninterrupted(ctx), runner.id, {
    task_id: Number(request.taskId),
    index: Math.max(0, Number(request.index)),
    lines: request.rows.map(({ time, content }) => ({
      time: time === undefined ? ctx.now() : dateOf(time),
      content,
    })),
    isLast: request.noMore,
  })
  return { ackIndex: BigInt(ack) }
}

/** Writes the report even if the runner disconnects. */
function uninterrupted(ctx: Context): Context {
  return { ...ctx, signal: new AbortController().signal }
}

/** The task must be prepared or handed back even if the runner disconnects or loses its access. */
function detached({ reopen: _, ...ctx }: Context): Context {
  return uninterrupted(ctx)
}

function stepOf(step: TaskState['steps'][number]): StepReport {
  return {
    position: Number(step.id),
    result: OUTCOMES.get(step.result),
    started_at: step.startedAt === undefined ? null : dateOf(step.startedAt),
    stopped_at: step.stoppedAt === undefined ? null : dateOf(step.stoppedAt),
    log_index: Number(step.logIndex),
    log_length: Number(step.logLength),
  }
}

/** Timestamps outside 1970 to 9999 are replaced by 1970. */
function dateOf(time: Parameters<typeof timestampDate>[0]): Date {
  const date = timestampDate(time)
  const year = date.getUTCFullYear()
  return year >= 1970 && year < 10_000 ? date : new Date(0)
}

function presentRunner(row: RunnerRow) {
  const { uuid, name, version, labels } = row
  return {
    id: BigInt(row.id),
    uuid,
    name,
    version,
    labels,
    ephemeral: row.is_ephemeral,
    status: row.online_at === null ? RunnerStatus.OFFLINE : RunnerStatus.IDLE,
  }
}

function presentTask({ id, payload, context, secrets, vars, needs }: PreparedTask) {
  return {
    id: BigInt(id),
    workflowPayload: Buffer.from(payload),
    context: JSON.parse(JSON.stringify(context)) as JsonObject,
    secrets: { ...secrets },
    vars: { ...vars },
    needs: Object.fromEntries(
      Object.entries(needs).map(([name, { result, outputs }]) => [
        name,
        { result: RESULTS[result], outputs: { ...outputs } },
      ]),
    ),
  }
}
