/** The processes of one node: the supervisor asks each for its readiness and its metrics, and shows them as one node. */
import cluster, { type Worker } from 'node:cluster'
import type { ObservedNode } from '#http'
import type { Logger } from '#platform/log'
import { observeProcess } from '#platform/process-metrics'
import {
  countersOf,
  openTelemetry,
  type Snapshot,
  sumSnapshots,
  type Telemetry,
  writeSnapshot,
} from '#platform/telemetry'
import { VERSION } from '#platform/version'

interface Question {
  readonly question: number
  /** Metrics of the whole forge are read by one process. */
  readonly wants: 'readiness' | 'metrics' | 'metrics with the forge'
}

interface Answer {
  readonly answer: number
  readonly refusal?: string
  readonly snapshot?: Snapshot
}

/** Sent by a process as soon as it serves. */
export const SERVES = 'serves'
/** Longer than a process waits for its slowest metric, and shorter than Prometheus waits. */
const ANSWER_MS_MAX = 5_000

/** In a process of several: answers the supervisor. */
export function answerSupervisor(telemetry: Telemetry, refusal: ObservedNode['refusal'], log: Logger): void {
  const answerOf = async ({ question, wants }: Question): Promise<Answer> => {
    if (wants !== 'readiness')
      return { answer: question, snapshot: await telemetry.snapshot({ withForge: wants !== 'metrics' }) }
    const reason = await refusal()
    return { answer: question, ...(reason !== undefined && { refusal: reason }) }
  }
  process.on('message', (message) => {
    if (!isQuestion(message)) return
    answerOf(message).then(
      (answer) => process.send?.(answer),
      (error: unknown) => log.warn({ err: error }, 'the supervisor gets no answer'),
    )
  })
}

/** In the supervisor. */
export class Processes implements ObservedNode {
  private readonly telemetry: Telemetry
  private readonly wanted: number
  private hasStarted = false
  private readonly serving = new Set<number>()
  private readonly awaited = new Map<number, (answer: Answer) => void>()
  private asked = 0
  /** The last counters of each process, so that a sum does not fall when a process is silent or replaced. */
  private readonly lastCounters = new Map<number, Snapshot>()
  private departed: Snapshot = []
  private readonly counts = { answering: 0, silent: 0, ended: 0 }

  /** Before any process is forked. */
  static async open(wanted: number): Promise<Processes> {
    const telemetry = await openTelemetry({ otlpUrl: '', version: VERSION })
    return new Processes(telemetry, wanted)
  }

  private constructor(telemetry: Telemetry, wanted: number) {
    this.telemetry = telemetry
    this.wanted = wanted
    observeProcess(telemetry)
    this.observe()
    cluster.on('message', ({ id }, message) => {
      if (message === SERVES) this.note(id)
      else if (isAnswer(message)) this.awaited.get(message.answer)?.(message)
    })
    cluster.on('exit', ({ id }) => {
      this.serving.delete(id)
      this.counts.ended += 1
      this.departed = sumSnapshots([this.departed, this.lastCounters.get(id) ?? []])
      this.lastCounters.delete(id)
    })
  }

  private note(serving: number): void {
    this.serving.add(serving)
    this.hasStarted ||= this.serving.size === this.wanted
  }

  /** Ready when it has started, a process answers, and none of those that answer refuses. */
  async refusal(): Promise<string | undefined> {
    if (!this.hasStarted) return 'starting'
    const answers = await Promise.all(this.listServing().map((worker) => this.ask(worker, 'readiness')))
    const given = answers.filter((answer) => answer !== undefined)
    if (given.length === 0) return 'no process of this node answers'
    return given.find(({ refusal }) => refusal !== undefined)?.refusal
  }

  async scrape(): Promise<string> {
    const workers = this.listServing()
    const answers = await Promise.all(
      workers.map((worker, i) => this.ask(worker, i === 0 ? 'metrics with the forge' : 'metrics')),
    )
    const snapshots = answers.flatMap((answer) => answer?.snapshot ?? [])
    const silent = workers.filter((_, i) => answers[i]?.snapshot === undefined)
    const others = silent.map(({ id }) => this.lastCounters.get(id) ?? [])
    this.counts.silent = silent.length
    this.counts.answering = workers.length - silent.length
    workers.forEach(({ id }, i) => {
      const snapshot = answers[i]?.snapshot
      if (snapshot !== undefined) this.lastCounters.set(id, countersOf(snapshot))
    })
    const own = await this.telemetry.snapshot({ withForge: true })
    return writeSnapshot(sumSnapshots([own, this.departed, snapshots, ...others]))
  }

  private observe(): void {
    this.telemetry.observe(
      {
        bloomery_processes: { kind: 'gauge', help: 'processes of this node by state' },
        bloomery_processes_ended_total: { kind: 'counter', help: 'processes that ended and were replaced' },
        bloomery_ready: { kind: 'gauge', help: '1 when the node takes traffic', across: 'min' },
      },
      () => ({
        bloomery_processes: [
          { value: this.counts.answering, attributes: { state: 'answering' } },
          { value: this.counts.silent, attributes: { state: 'silent' } },
          { value: this.wanted - this.serving.size, attributes: { state: 'starting' } },
        ],
        bloomery_processes_ended_total: this.counts.ended,
        bloomery_ready: this.hasStarted && this.counts.answering > 0 ? 1 : 0,
      }),
    )
  }

  private listServing(): Worker[] {
    const workers = Object.values(cluster.workers ?? {}).filter((it) => it !== undefined)
    return workers.filter((it) => this.serving.has(it.id) && it.isConnected())
  }

  /** Undefined when the process does not answer in time. */
  private async ask(worker: Worker, wants: Question['wants']): Promise<Answer | undefined> {
    const question = ++this.asked
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    this.awaited.set(question, resolve)
    const timer = setTimeout(resolve, ANSWER_MS_MAX, undefined)
    try {
      // A process that has just ended cannot be asked.
      worker.send({ question, wants } satisfies Question, (error) => error && resolve(undefined))
      return await promise
    } finally {
      clearTimeout(timer)
      this.awaited.delete(question)
    }
  }
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'question' in message
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'answer' in message
}
