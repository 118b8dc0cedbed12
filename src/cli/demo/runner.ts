/** A simulated runner: it speaks the protocol of runners, reports what its caller passes, and executes nothing. */
import { setTimeout as sleep } from 'node:timers/promises'

const BASE = '/api/actions/runner.v1.RunnerService'
const TRIES_MAX = 100
const PAUSE_MS = 50

/** A message as JSON: 64-bit numbers are strings. */
// biome-ignore lint/suspicious/noExplicitAny: callers know which message they asked for
export type Message = Record<string, any>

interface Said {
  readonly status: number
  readonly body: Message
}

export async function callProcedure(
  base: string,
  procedure: string,
  message: object,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Said> {
  const response = await fetch(`${base}${BASE}/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'connect-protocol-version': '1', ...headers },
    body: JSON.stringify(message),
    ...(signal && { signal }),
  })
  return { status: response.status, body: (await response.json()) as Message }
}

export class SimulatedRunner {
  readonly id: number
  readonly identity: Record<string, string>
  /** Base URL of the node it calls; may be changed to another node. */
  base: string

  private constructor(base: string, runner: Message) {
    this.base = base
    this.id = Number(runner.id)
    this.identity = { 'x-runner-uuid': runner.uuid, 'x-runner-token': runner.token }
  }

  static async register(
    base: string,
    token: string,
    facts: { name?: string; labels?: string[]; ephemeral?: boolean } = {},
  ): Promise<SimulatedRunner> {
    const request = { name: 'runner', version: 'v1.0.8', labels: ['linux'], token, ...facts }
    const { status, body } = await callProcedure(base, 'Register', request)
    if (status !== 200) throw new Error(`Register: ${status} ${body.message}`)
    return new SimulatedRunner(base, body.runner)
  }

  call(procedure: string, message: object, headers: object = {}, signal?: AbortSignal): Promise<Said> {
    return callProcedure(this.base, procedure, message, { ...this.identity, ...headers }, signal)
  }

  /** Waits for a job as long as the server holds the request. */
  async fetch(timeoutMs = 5_000, signal?: AbortSignal): Promise<Message | undefined> {
    const headers = { 'connect-timeout-ms': String(timeoutMs) }
    const { status, body } = await this.call('FetchTask', { tasksVersion: '0' }, headers, signal)
    if (status !== 200) throw new Error(`FetchTask: ${status} ${body.message}`)
    return body.task
  }

  /** The next job; fails when there is none before long. */
  async untilTask(): Promise<Message> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const task = await this.fetch()
      if (task !== undefined) return task
      await sleep(PAUSE_MS)
    }
    throw new Error('no task came')
  }

  async report(id: string, more: object = {}, outputs: Record<string, string> = {}): Promise<Message> {
    const { status, body } = await this.call('UpdateTask', { state: { id, ...more }, outputs })
    if (status !== 200) throw new Error(`UpdateTask: ${status} ${body.message}`)
    return body
  }

  finish(id: string, result = 'RESULT_SUCCESS', outputs: Record<string, string> = {}): Promise<Message> {
    return this.report(id, { result }, outputs)
  }

  /** Returns how many lines are stored. */
  async log(taskId: string, index: number, contents: readonly string[], noMore = false): Promise<number> {
    const rows = contents.map((content) => ({ time: '2026-01-02T03:04:05Z', content }))
    const { status, body } = await this.call('UpdateLog', { taskId, index: String(index), rows, noMore })
    if (status !== 200) throw new Error(`UpdateLog: ${status} ${body.message}`)
    return Number(body.ackIndex ?? 0)
  }
}
