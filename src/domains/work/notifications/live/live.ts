/**
 * The streams of this node. Hints from the bus wake them. Because a hint can be lost, and a node without NATS receives
 * none from others, two queries every few seconds check all streams as well.
 */
import type { Bus, Hint } from '#platform/bus'
import type { Config } from '#platform/config'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { aside, type Logger } from '#platform/log'
import { notFound, Problem } from '#platform/problem'
import { TOPIC_HINT, type Topic } from '#slices'
import { selectUnreadOf } from '../store.ts'
import { PEOPLE_HINT } from './hints.ts'
import { Listener } from './listener.ts'

declare module '#platform/context' {
  interface World {
    readonly live: Live
  }
}

const RETRY_AFTER_S = 30

export class Live {
  private readonly parts: {
    readonly bus: Bus
    readonly db: Db
    readonly config: Config
    readonly log: Logger
    readonly topics: readonly Topic[]
  }
  private readonly listeners = new Set<Listener>()
  private stop: (() => void) | undefined

  constructor(parts: Live['parts']) {
    this.parts = parts
  }

  get size(): number {
    return this.listeners.size
  }

  /** Adds a stream until `leave` is called. Refuses streams beyond the limits. */
  join(userId: number, topics: readonly string[]): { listener: Listener; leave: () => void } {
    const { config } = this.parts
    const own = [...this.listeners].filter((it) => it.userId === userId)
    if (own.length >= config['live.streams_per_user_max'] || this.size >= config['live.streams_max'])
      throw new Problem('too_many', 'too many live update streams', { retryAfterS: RETRY_AFTER_S })
    const listener = new Listener(userId, topics)
    this.listeners.add(listener)
    this.stop ??= this.start()
    const leave = () => {
      if (!this.listeners.delete(listener) || this.size > 0) return
      this.stop?.()
      this.stop = undefined
    }
    return { listener, leave }
  }

  /** Subscribes and polls only while there is a stream. */
  private start(): () => void {
    const { bus, config, log } = this.parts
    const ends = [
      bus.subscribe(PEOPLE_HINT, (hint) => this.wakePeople(hint)),
      bus.subscribe(TOPIC_HINT, ({ topic }) => {
        for (const listener of this.listeners) if (listener.hears(topic)) listener.wake(topic)
      }),
    ]
    let isLooking = false
    const look = async () => {
      if (isLooking) return
      isLooking = true
      await this.lookAround().finally(() => {
        isLooking = false
      })
    }
    const timer = setInterval(() => aside(log, look()), config['live.poll_ms'])
    timer.unref()
    return () => {
      clearInterval(timer)
      for (const end of ends) end()
    }
  }

  /** Other programs may publish on the bus; a forged hint can only wake a stream. */
  private wakePeople({ user_ids }: Hint): void {
    if (!Array.isArray(user_ids)) return
    const ids = new Set<unknown>(user_ids)
    for (const listener of this.listeners) if (ids.has(listener.userId)) listener.wake('count')
  }

  private async lookAround(): Promise<void> {
    const all = [...this.listeners]
    const userIds = [...new Set(all.map(({ userId }) => userId))]
    const unread = await selectUnreadOf(this.parts.db, userIds).execute()
    const counts = new Map(unread.map((row) => [row.user_id, row.unread]))
    const versions = await this.versionsOf(all.flatMap(({ topics }) => topics))
    for (const listener of all) {
      if (listener.hasOtherCount(counts.get(listener.userId) ?? 0)) listener.wake('count')
      for (const topic of listener.topics)
        if (listener.hasOtherVersion(topic, versions.get(topic) ?? 0)) listener.wake(topic)
    }
  }

  /** Versions of topics, with one query per kind. */
  async versionsOf(topics: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    for (const { kind, versions } of this.parts.topics) {
      const own = topics
        .filter((it) => it.startsWith(`${kind}:`))
        .map((it) => Number(it.slice(kind.length + 1)))
      if (own.length === 0) continue
      for (const [id, version] of await versions(this.parts.db, [...new Set(own)]))
        found.set(`${kind}:${id}`, version)
    }
    return found
  }

  /** Throws if the topic does not exist or the caller may not see it. */
  async open(ctx: Context, topic: string): Promise<void> {
    const [, kind, id] = /^([a-z]+):(\d{1,15})$/.exec(topic) ?? []
    const found = this.parts.topics.find((it) => it.kind === kind)
    if (found === undefined) throw notFound('topic', topic)
    await found.open(ctx, Number(id))
  }
}
