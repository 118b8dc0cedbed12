/** How long after the answer to a request its effects appear: a notification, a webhook, a workflow run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Received, Receiver, welcome } from '#testing/slices/webhooks'
import type { Meter } from './meter.ts'

export interface OpenedIssue {
  readonly id: number
  /** Unique within a run of the tool. */
  readonly title: string
  readonly assigneeId: number
  readonly hasWebhook: boolean
  readonly hasWorkflow: boolean
}

export interface Latency {
  readonly effect: 'notification' | 'webhook' | 'run'
  readonly samples: number
  /** Effects that did not appear before the measurement ended. */
  readonly missing: number
  readonly p50: number
  readonly p99: number
}

const POLL_MS = 20
/** Rows looked up at once: a lagging queue must not make the lookup itself expensive. */
const FOLLOWED_MAX = 100

export class Effects implements AsyncDisposable {
  readonly webhookUrl: string
  private readonly meter: Meter
  private readonly receiver: Receiver
  private readonly followed = { notification: new Followed(), webhook: new Followed(), run: new Followed() }
  private readonly arrivals: Map<string, number>
  private readonly polling: Promise<void>
  private isOver = false

  static async open(meter: Meter): Promise<Effects> {
    const arrivals = new Map<string, number>()
    const receiver = await Receiver.open((response, received, count) => {
      const id = openedIssueOf(received)
      if (id !== undefined) arrivals.set(id, performance.now())
      welcome(response, received, count)
    })
    return new Effects(meter, receiver, arrivals)
  }

  private constructor(meter: Meter, receiver: Receiver, arrivals: Map<string, number>) {
    this.meter = meter
    this.receiver = receiver
    this.arrivals = arrivals
    this.webhookUrl = receiver.url
    this.polling = this.poll()
    // Awaited by `end`, which reports its failure.
    this.polling.catch(() => undefined)
  }

  /** Called when the answer has arrived, which is after the commit. */
  follow(issue: OpenedIssue): void {
    this.followed.notification.add(`${issue.id} ${issue.assigneeId}`, FOLLOWED_MAX)
    if (issue.hasWebhook) this.followed.webhook.add(String(issue.id))
    if (issue.hasWorkflow) this.followed.run.add(issue.title, FOLLOWED_MAX)
  }

  /** Ends the polling. */
  async end(): Promise<Latency[]> {
    this.isOver = true
    await this.polling
    for (const [id, at] of this.arrivals) this.followed.webhook.appear(id, at)
    return (['notification', 'webhook', 'run'] as const).map((effect) => ({
      effect,
      ...this.followed[effect].summary(),
    }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true
    await this.polling.catch(() => undefined)
    await this.receiver[Symbol.asyncDispose]()
  }

  private async poll(): Promise<void> {
    while (!this.isOver) {
      await this.lookFor('notification', NOTIFICATIONS)
      await this.lookFor('run', RUNS)
      await sleep(POLL_MS)
    }
  }

  private async lookFor(effect: 'notification' | 'run', sql: string): Promise<void> {
    const { keys } = this.followed[effect]
    if (keys.length === 0) return
    for (const { key } of await this.meter.query<{ key: string }>(sql, [keys]))
      this.followed[effect].appear(key, performance.now())
  }
}

const NOTIFICATIONS = `select issue_id || ' ' || user_id as key from notification
  where issue_id = any(array(select split_part(key, ' ', 1)::bigint from unnest($1::text[]) as key))`
const RUNS = 'select title as key from action_run where title = any($1::text[])'

/** Requests by the key of their effect. */
class Followed {
  private readonly answeredAt = new Map<string, number>()
  private readonly latencies: number[] = []

  get keys(): string[] {
    return [...this.answeredAt.keys()]
  }

  add(key: string, most = Number.POSITIVE_INFINITY): void {
    if (this.answeredAt.size < most) this.answeredAt.set(key, performance.now())
  }

  appear(key: string, at: number): void {
    const answeredAt = this.answeredAt.get(key)
    if (answeredAt === undefined) return
    this.answeredAt.delete(key)
    // A webhook may arrive before the answer does.
    this.latencies.push(Math.max(0, at - answeredAt))
  }

  summary(): Omit<Latency, 'effect'> {
    return {
      samples: this.latencies.length,
      missing: this.answeredAt.size,
      p50: percentile(this.latencies, 0.5),
      p99: percentile(this.latencies, 0.99),
    }
  }
}

/** NaN without samples. */
function percentile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function openedIssueOf({ headers, body }: Received): string | undefined {
  if (headers['x-gitea-event'] !== 'issues') return undefined
  const { action, issue } = JSON.parse(body) as { action: string; issue: { id: number } }
  return action === 'opened' ? String(issue.id) : undefined
}
