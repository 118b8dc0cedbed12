/** Metrics of the queue: `docs/monitoring/alerts.yml` has alert rules for them. */
import type { World } from '#platform/context'
import { readQueue } from '#platform/queue'

export function observeQueue({ telemetry, db }: World): void {
  telemetry.observe(
    {
      bloomery_jobs: { kind: 'gauge', help: 'jobs in the queue by kind and state' },
      bloomery_job_oldest_seconds: {
        kind: 'gauge',
        help: 'time for which the oldest job of a kind has been due',
      },
    },
    async () => {
      const queue = await readQueue(db)
      return {
        bloomery_jobs: queue.flatMap(({ kind, waiting, running, later, dead }) =>
          Object.entries({ waiting, running, later, dead }).map(([state, value]) => ({
            value,
            attributes: { kind, state },
          })),
        ),
        bloomery_job_oldest_seconds: queue.map(({ kind, oldest_ms }) => ({
          value: oldest_ms / 1000,
          attributes: { kind },
        })),
      }
    },
    { isOfForge: true },
  )
}
