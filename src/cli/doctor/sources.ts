/** Authentication sources whose check of people was halted. */
import { listHalted } from '#domains/sign-in/sources'
import type { Config } from '#platform/config'
import { openDb } from '#platform/db'
import { withDatabase } from '../with-world.ts'
import { Warning } from './check.ts'

export async function lookAtSources(config: Config): Promise<string> {
  return withDatabase(config, async (pool) => {
    const halted = await listHalted(openDb(pool))
    if (halted.length === 0) return 'no check of a directory was halted'
    const each = halted.map(
      ({ name, halted_missing, halted_people }) =>
        `${name} misses ${halted_missing} of ${halted_people} people`,
    )
    throw new Warning(
      `${each.join('; ')}: none of them was removed; correct the filter, or confirm on the page of the source`,
    )
  })
}
