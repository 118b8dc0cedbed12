/** Metrics of runners. */
import type { World } from '#platform/context'
import { countByState } from './store.ts'

export function observeRunners({ telemetry, db, now }: World): void {
  telemetry.observe(
    { bloomery_runners: { kind: 'gauge', help: 'runners by state' } },
    async () => ({
      bloomery_runners: Object.entries(await countByState(db, now())).map(([state, value]) => ({
        value,
        attributes: { state },
      })),
    }),
    { isOfForge: true },
  )
}
