/**
 * How long anonymous clients of one address range may run git in a window, over all nodes. Crawlers ask for every blame,
 * comparison and archive of every commit; signed-in users are not rationed.
 *
 * Each process counts in memory and adds its counts to `anonymous_git_use` every few seconds, so a request takes no
 * statement, and a range may exceed its ration by what it uses meanwhile.
 */
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { atMost } from '#platform/at-most'
import { rangeOf } from '#platform/client-use'
import type { Config } from '#platform/config'
import type { Visitor } from '#platform/context'
import type { Db } from '#platform/db'
import { aside, type Logger } from '#platform/log'
import { Problem } from '#platform/problem'

interface Use {
  /** In all processes, when it was saved last. */
  readonly ms: number
  /** By `performance.now()`. */
  readonly windowEndsAt: number
}

const SAVE_MS = 5_000
/** Ranges remembered; beyond that the least recent ones start over in this process. */
const RANGES_MAX = 100_000
/** Windows that ended are deleted, so many at a time. */
const SWEPT_MAX = 1_000

export class Rations {
  private readonly config: Config
  private readonly db: Db
  private readonly saved = new LRUCache<string, Use>(atMost(RANGES_MAX))
  private readonly unsaved = new Map<string, number>()
  private readonly timer: NodeJS.Timeout

  constructor(config: Config, db: Db, log: Logger) {
    this.config = config
    this.db = db
    this.timer = setInterval(() => aside(log, this.save()), SAVE_MS).unref()
  }

  close(): void {
    clearInterval(this.timer)
  }

  /** Throws when the address range of an anonymous visitor has used its ration. */
  assertLeft(visitor: Visitor): void {
    if (visitor.lane !== 'nobody') return
    const range = rangeOf(visitor.key)
    const now = performance.now()
    const saved = this.saved.get(range)
    const isCurrent = saved !== undefined && saved.windowEndsAt > now
    const ms = (isCurrent ? saved.ms : 0) + (this.unsaved.get(range) ?? 0)
    if (ms < this.config['git.nobody_seconds_max'] * 1000) return
    const leftMs = isCurrent ? saved.windowEndsAt - now : this.config['git.nobody_window_s'] * 1000
    throw new Problem('too_many', 'anonymous requests from your network have used too much: sign in', {
      retryAfterS: Math.ceil(leftMs / 1000),
    })
  }

  charge(visitor: Visitor, ms: number): void {
    if (visitor.lane !== 'nobody') return
    const range = rangeOf(visitor.key)
    this.unsaved.set(range, (this.unsaved.get(range) ?? 0) + ms)
  }

  /** Adds the counts of this process to those of all, and learns the sums. */
  async save(): Promise<void> {
    const entries = [...this.unsaved].filter(([, ms]) => ms >= 1)
    if (entries.length === 0) return
    this.unsaved.clear()
    const ranges = entries.map(([range]) => range)
    const used = entries.map(([, ms]) => Math.round(ms))
    const window = sql`make_interval(secs => ${this.config['git.nobody_window_s']})`
    const isOver = sql`used.window_start <= now() - ${window}`
    const { rows } = await sql<{ address_range: string; used_ms: number; left_ms: number }>`
      with swept as (delete from anonymous_git_use where address_range in (
        select address_range from anonymous_git_use where window_start <= now() - ${window}
          and address_range <> all(${ranges}) order by window_start limit ${SWEPT_MAX}))
      insert into anonymous_git_use as used (address_range, window_start, used_ms)
      select given.address_range, now(), given.ms from unnest(${ranges}::text[], ${used}::bigint[])
        as given (address_range, ms) order by given.address_range
      on conflict (address_range) do update set
        used_ms = case when ${isOver} then excluded.used_ms else used.used_ms + excluded.used_ms end,
        window_start = case when ${isOver} then now() else used.window_start end
      returning address_range, used_ms,
        (extract(epoch from window_start + ${window} - now()) * 1000)::bigint as left_ms`.execute(this.db)
    const now = performance.now()
    for (const { address_range, used_ms, left_ms } of rows)
      this.saved.set(address_range, { ms: used_ms, windowEndsAt: now + left_ms })
  }
}
