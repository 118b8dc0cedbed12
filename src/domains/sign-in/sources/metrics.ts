/** Metrics of sources. */
import type { World } from '#platform/context'
import { listHalted } from './ldap/brake.ts'

export function observeSources({ telemetry, db }: World): void {
  telemetry.observe(
    {
      bloomery_source_checks_halted: {
        kind: 'gauge',
        help: 'authentication sources whose check of people was halted',
      },
    },
    async () => ({ bloomery_source_checks_halted: (await listHalted(db)).length }),
    { isOfForge: true },
  )
}
