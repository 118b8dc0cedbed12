/**
 * The clock that all nodes share: PostgreSQL's, which this process reads every few seconds and extrapolates in between by
 * the monotonic timer. The machine's own clock decides nothing; a node where it differs logs that and takes no work.
 */
import type { Logger } from '#platform/log'

export interface ClockOptions {
  /** Reads PostgreSQL's `clock_timestamp()`. */
  readonly ask: () => Promise<Date>
  readonly log: Logger
  /** The machine's clock, in milliseconds. */
  readonly machine?: () => number
}

interface Reading {
  /** PostgreSQL's time when `performance.now()` was `at`, give or take `accuracyMs`. */
  readonly time: number
  readonly at: number
  readonly accuracyMs: number
}

const SKEW_MS_MAX = 5_000
const READ_EVERY_MS = 5_000
/** A slower answer is too inaccurate, and is ignored once there is a better one. */
const SLOW_MS = 2_000

export class Clock {
  private readonly options: ClockOptions
  private readonly machine: () => number
  private reading: Reading | undefined
  private timer: NodeJS.Timeout | undefined
  private hasWarned = false

  constructor(options: ClockOptions) {
    this.options = options
    this.machine = options.machine ?? Date.now
  }

  /** The machine's clock before the first reading of PostgreSQL's. */
  now(): Date {
    return new Date(this.reading === undefined ? this.machine() : timeOf(this.reading))
  }

  /** How far the machine's clock is ahead of PostgreSQL's. */
  skewMs(): number {
    return Math.round(this.machine() - this.now().getTime())
  }

  /**
   * Why this node must take no work; undefined when the clocks agree. After a suspend of the machine they differ until
   * the next reading.
   */
  refusal(): string | undefined {
    const skewMs = this.skewMs()
    if (Math.abs(skewMs) <= SKEW_MS_MAX + (this.reading?.accuracyMs ?? 0)) return undefined
    return `clock differs from the database by ${skewMs} ms; run NTP on both`
  }

  /** Reads PostgreSQL's clock now, and then periodically until `close`. */
  async start(): Promise<void> {
    await this.read()
    const again = async () => {
      // An unavailable database is reported elsewhere; meanwhile the last reading is extrapolated.
      await this.read().catch(() => undefined)
      if (this.timer !== undefined) this.timer = setTimeout(again, READ_EVERY_MS).unref()
    }
    this.timer = setTimeout(again, READ_EVERY_MS).unref()
  }

  close(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  async read(): Promise<void> {
    const began = performance.now()
    const time = (await this.options.ask()).getTime()
    const tookMs = performance.now() - began
    const reading = { time, at: began + tookMs / 2, accuracyMs: tookMs / 2 }
    if (this.reading === undefined || (tookMs < SLOW_MS && isNews(this.reading, reading)))
      this.reading = reading
    this.say()
  }

  /** Logs once each time the clocks start to differ. */
  private say(): void {
    const refusal = this.refusal()
    if (refusal !== undefined && !this.hasWarned)
      this.options.log.error(
        { 'clock.skew_ms': this.skewMs() },
        'clock differs from the database: no work taken',
      )
    this.hasWarned = refusal !== undefined
  }
}

function timeOf({ time, at }: Reading): number {
  return time + performance.now() - at
}

/** A reading that agrees with the extrapolation changes nothing, so that time does not jitter. */
function isNews(known: Reading, { time, at, accuracyMs }: Reading): boolean {
  return accuracyMs < known.accuracyMs || Math.abs(known.time + at - known.at - time) > accuracyMs
}
