/** Metrics of git: pushes, fetches, processes, packs and the cache. */

import type { Readable } from 'node:stream'
import type { Counter, Histogram } from '@opentelemetry/api'
import { sql } from 'kysely'
import type { World } from '#platform/context'
import type { Telemetry } from '#platform/telemetry'

declare module '#platform/context' {
  interface World {
    readonly gitMetrics: GitMetrics
  }
}

/** An answer of git that is being sent. */
interface Sending {
  readonly output: Readable
  outputBytes?(): number
}

/** Durations and sizes of pushes and fetches. */
export class GitMetrics {
  private readonly pushSeconds: Histogram
  private readonly pushBytes: Counter
  private readonly fetchSeconds: Histogram
  /** Sent by git itself; the shared answers count their own. */
  fetchedBytes = 0

  constructor(telemetry: Telemetry) {
    this.pushSeconds = telemetry.histogram('bloomery_git_push_seconds', 'duration of pushes')
    this.pushBytes = telemetry.counter('bloomery_git_push_bytes_total', 'bytes received by pushes')
    this.fetchSeconds = telemetry.histogram('bloomery_git_fetch_seconds', 'duration of fetches and clones')
  }

  /** Failed unless `succeed` is called before it is disposed. */
  startPush(bytes: () => number): Disposable & { succeed(): void } {
    const startedAt = performance.now()
    let result = 'failed'
    return {
      succeed() {
        result = 'ok'
      },
      [Symbol.dispose]: () => {
        this.pushSeconds.record(secondsSince(startedAt), { result })
        this.pushBytes.add(bytes())
      },
    }
  }

  /** Ends when the output is closed, however that happened. */
  async timeFetch<T extends Sending>(answering: Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const answer = await answering
    answer.output.once('close', () => this.endFetch(startedAt, answer.outputBytes?.() ?? 0))
    return answer
  }

  endFetch(startedAt: number, bytes: number): void {
    this.fetchSeconds.record(secondsSince(startedAt))
    this.fetchedBytes += bytes
  }
}

export function observeGit(world: World): void {
  observePacks(world)
  observeCache(world)
  const { telemetry, spawner, places, gitMetrics, cache } = world
  telemetry.observe(
    {
      bloomery_git_processes: { kind: 'gauge', help: 'git processes that run' },
      bloomery_git_processes_total: { kind: 'counter', help: 'git processes that were started' },
      bloomery_git_process_seconds_total: { kind: 'counter', help: 'run time of git processes that ended' },
      bloomery_git_places: { kind: 'gauge', help: 'requests that run git, or wait for a slot' },
      bloomery_git_fetch_bytes_total: { kind: 'counter', help: 'bytes sent by fetches and clones' },
    },
    () => ({
      bloomery_git_processes: spawner.counts.running,
      bloomery_git_processes_total: spawner.counts.started,
      bloomery_git_process_seconds_total: spawner.counts.ms / 1000,
      bloomery_git_places: Object.entries(places.counts).map(([state, value]) => ({
        value,
        attributes: { state },
      })),
      bloomery_git_fetch_bytes_total: gitMetrics.fetchedBytes + cache.answers.counts.bytes,
    }),
  )
}

function observeCache({ telemetry, cache, config }: World): void {
  telemetry.observe(
    {
      bloomery_git_cache_bytes: { kind: 'gauge', help: 'size of the repository cache' },
      bloomery_git_cache_bytes_max: { kind: 'gauge', help: 'limit of the size, git.cache_bytes_max' },
      bloomery_git_cache_hits_total: {
        kind: 'counter',
        help: 'repositories that were up to date in the cache',
      },
      bloomery_git_cache_misses_total: { kind: 'counter', help: 'repositories that were hydrated' },
      bloomery_git_cache_evictions_total: { kind: 'counter', help: 'copies that were evicted' },
      bloomery_git_cache_damaged_total: {
        kind: 'counter',
        help: 'copies whose files were missing or damaged',
      },
      bloomery_git_cache_downloads_total: { kind: 'counter', help: 'packs read from the object store' },
      bloomery_git_hydration_seconds_total: { kind: 'counter', help: 'time spent on hydration' },
      bloomery_git_answers_total: { kind: 'counter', help: 'answers to clones, computed and shared' },
    },
    () => {
      const { hits, hydrations, evictions, damaged, hydrationMs } = cache.counts
      const { computed, shared } = cache.answers.counts
      return {
        bloomery_git_cache_bytes: cache.bytes,
        bloomery_git_cache_bytes_max: config['git.cache_bytes_max'],
        bloomery_git_cache_hits_total: hits,
        bloomery_git_cache_misses_total: hydrations,
        bloomery_git_cache_evictions_total: evictions,
        bloomery_git_cache_damaged_total: damaged,
        bloomery_git_cache_downloads_total: cache.pool.counts.downloads,
        bloomery_git_hydration_seconds_total: hydrationMs / 1000,
        bloomery_git_answers_total: Object.entries({ computed, shared }).map(([answer, value]) => ({
          value,
          attributes: { answer },
        })),
      }
    },
  )
}

interface Piles {
  readonly total: number
  readonly most: number
}

/** Counting reads every live row, so once a minute is enough. */
const COUNT_EVERY_MS = 60_000

function observePacks(world: World): void {
  let counted: Promise<Piles> | undefined
  let countedAt = 0
  const piles = () => {
    if (counted === undefined || performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now()
      counted = countPiles(world)
      counted.catch(() => {
        counted = undefined
      })
    }
    return counted
  }
  world.telemetry.observe(
    {
      bloomery_git_live_packs: { kind: 'gauge', help: 'live packs of all repositories, and of the largest' },
    },
    async () => {
      const { total, most } = await piles()
      return {
        bloomery_git_live_packs: [
          { value: total, attributes: { of: 'all' } },
          { value: most, attributes: { of: 'largest' } },
        ],
      }
    },
    { isOfForge: true },
  )
}

async function countPiles({ db }: World): Promise<Piles> {
  const { rows } = await sql<Piles>`
    select coalesce(sum(packs), 0)::bigint as total, coalesce(max(packs), 0) as most from (
      select count(*) as packs from git_storage_pack where retired_at is null group by storage_id) piles`.execute(
    db,
  )
  return rows[0] ?? { total: 0, most: 0 }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}
