/** Metrics of the queue: `docs/alerts.yml` has alert rules for them. */
import type { World } from '#platform/context'
import { readQueue } from '#platform/queue'

export function observeQueue({ telemetry, db }: World): void {
  telemetry.observe('bloomery_jobs', 'number of jobs in the queue', async () => {
    const queue = await readQueue(db)
    return queue.flatMap(({ kind, waiting, running, later, dead }) =>
      Object.entries({ waiting, running, later, dead }).map(([state, value]) => ({
        value,
        attributes: { kind, state },
      })),
    )
  })
  telemetry.observe(
    'bloomery_job_oldest_seconds',
    'time for which the oldest job of a kind has been due',
    async () =>
      (await readQueue(db)).map(({ kind, oldest_ms }) => ({ value: oldest_ms / 1000, attributes: { kind } })),
  )
}
