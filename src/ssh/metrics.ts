/** Metrics of SSH: sessions and key lookups. */
import type { Counter } from '@opentelemetry/api'
import { Problem } from '#platform/problem'
import type { Telemetry } from '#platform/telemetry'

export class SshMetrics {
  private readonly sessions: Counter
  private readonly keys: Counter
  private open = 0

  constructor(telemetry: Telemetry) {
    this.sessions = telemetry.counter('bloomery_ssh_sessions_total', 'SSH sessions that ended, by result')
    this.keys = telemetry.counter('bloomery_ssh_keys_total', 'keys that clients offered, by result')
    // A counter that does not exist yet has no rate.
    for (const result of ['ok', 'failed', 'refused']) this.sessions.add(0, { result })
    for (const result of ['known', 'unknown']) this.keys.add(0, { result })
    telemetry.observe({ bloomery_ssh_sessions: { kind: 'gauge', help: 'open SSH sessions' } }, () => ({
      bloomery_ssh_sessions: this.open,
    }))
  }

  /** Counts a session that resolves with its exit code. */
  async count(session: Promise<number>): Promise<number> {
    this.open += 1
    try {
      const code = await session
      this.sessions.add(1, { result: code === 0 ? 'ok' : 'failed' })
      return code
    } catch (error) {
      if (error instanceof Problem) throw this.refused(error)
      this.sessions.add(1, { result: 'failed' })
      throw error
    } finally {
      this.open -= 1
    }
  }

  /** Counts a refusal, and returns it. */
  refused(problem: Problem): Problem {
    this.sessions.add(1, { result: 'refused' })
    return problem
  }

  /** Counts a lookup, and returns the line that was found for the key; empty when there is none. */
  lookedUp(line: string): string {
    this.keys.add(1, { result: line === '' ? 'unknown' : 'known' })
    return line
  }
}
