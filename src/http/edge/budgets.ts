/**
 * Rate limits by visitor, reported with every answer (`RateLimit-Policy` and `RateLimit` of
 * draft-ietf-httpapi-ratelimit-headers). Kept in the memory of one process: an approximation, not a global count.
 */
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { atMost } from '#platform/at-most'
import type { Config } from '#platform/config'
import type { Visitor } from '#platform/context'
import { Problem } from '#platform/problem'

interface Window {
  readonly startedAt: number
  requests: number
}

/** Visitors remembered; beyond that the least recent ones start over. */
const VISITORS_MAX = 100_000

export class Budgets {
  private readonly config: Config
  private readonly windows = new LRUCache<string, Window>(atMost(VISITORS_MAX))

  constructor(config: Config) {
    this.config = config
  }

  /** Counts a request, sets the rate limit headers of its answer, and refuses it when the quota is exhausted. */
  charge(reply: FastifyReply, { lane, key }: Visitor): void {
    const quota = this.config[`http.${lane}_requests_max`]
    const windowS = this.config['http.requests_window_s']
    const { startedAt, requests } = this.count(`${lane} ${key}`, windowS)
    const left = Math.max(0, quota - requests)
    const resetS = Math.ceil(windowS - (performance.now() - startedAt) / 1000)
    reply.header('ratelimit-policy', `"${lane}";q=${quota};w=${windowS}`)
    reply.header('ratelimit', `"${lane}";r=${left};t=${resetS}`)
    if (requests > quota)
      throw new Problem('too_many', 'too many requests, please try again later', { retryAfterS: resetS })
  }

  private count(name: string, windowS: number): Window {
    const now = performance.now()
    const known = this.windows.get(name)
    const window =
      known !== undefined && now - known.startedAt < windowS * 1000 ? known : { startedAt: now, requests: 0 }
    window.requests += 1
    this.windows.set(name, window)
    return window
  }
}
