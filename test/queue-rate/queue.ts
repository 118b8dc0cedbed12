/** Reads the state of the job queue. */
import { CHANNEL } from '../../src/jobs/hints.ts'
import type { Meter } from './meter.ts'

export interface QueueState {
  /** Due jobs that no worker has taken. */
  readonly waiting: number
  /** Jobs that a worker runs. */
  readonly held: number
  /** Jobs that failed at least once and still exist. */
  readonly failed: number
  /** Seconds since the oldest waiting job became due. */
  readonly oldest: number
}

export interface HeldBack {
  readonly jobs: number
  readonly events: number
  /** Events times their consumers. */
  readonly deliveries: number
}

const STATE = `select count(*) filter (where is_waiting)::int as waiting, count(*) filter (where is_held)::int as held,
    count(error)::int as failed,
    coalesce(extract(epoch from now() - min(run_at) filter (where is_waiting)), 0)::float8 as oldest
  from (select *, worker is null and run_at <= now() and attempts < attempts_max as is_waiting,
    worker is not null as is_held from job) as job`

export class Queue {
  private readonly meter: Meter

  constructor(meter: Meter) {
    this.meter = meter
  }

  async look(): Promise<QueueState> {
    const [state] = await this.meter.query<QueueState>(STATE)
    if (state === undefined) throw new Error('an aggregate without groups always has a row')
    return state
  }

  /** Events emitted from now on wait until `release`. */
  async holdBack(): Promise<void> {
    await this.meter.query(`alter table job alter column run_at set default 'infinity'`)
  }

  async countHeldBack(): Promise<HeldBack> {
    const [row] = await this.meter.query<HeldBack>(
      `select count(distinct job.id)::int as jobs, count(*)::int as events,
          coalesce(sum(json_array_length(event -> 'to')), 0)::int as deliveries
        from job cross join json_array_elements(payload -> 'events') as event
        where kind = 'deliver' and run_at = 'infinity'`,
    )
    if (row === undefined) throw new Error('an aggregate without groups always has a row')
    return row
  }

  async release(): Promise<void> {
    await this.meter.query('alter table job alter column run_at set default now()')
    await this.meter.query(`update job set run_at = now() where run_at = 'infinity'`)
    await this.meter.query(`select pg_notify('${CHANNEL}', 'deliver')`)
  }

  /**
   * How many jobs were ever deleted, which is how a job ends. A backend reports its deleted rows once a second while it
   * works, and within `STATISTICS_MS` when it is idle: the count lags by as much.
   */
  async countFinished(): Promise<number> {
    const [row] = await this.meter.query<{ finished: number }>(
      `select n_tup_del::float8 as finished from pg_stat_all_tables where relid = 'job'::regclass`,
    )
    return row?.finished ?? 0
  }
}

/** An idle backend of PostgreSQL reports its statistics after 10 seconds at the latest. */
export const STATISTICS_MS = 11_000
