/** Metrics of git storage: live packs and cache efficiency. */
import { sql } from 'kysely'
import type { World } from '#platform/context'

interface Piles {
  readonly total: number
  readonly most: number
}

/** Counting reads every live row, so once a minute is enough. */
const COUNT_EVERY_MS = 60_000

export function observeGit(world: World): void {
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
  world.telemetry.observe('bloomery_git_live_packs', 'number of live packs of repositories', async () => {
    const { total, most } = await piles()
    return [
      { value: total, attributes: { of: 'all' } },
      { value: most, attributes: { of: 'largest' } },
    ]
  })
  world.telemetry.observe(
    'bloomery_git_cache',
    'repository cache hits, hydrations and downloads of this node',
    async () => {
      const { hits, hydrations, damaged } = world.cache.counts
      return [
        { value: hits, attributes: { what: 'hits' } },
        { value: hydrations, attributes: { what: 'hydrations' } },
        { value: damaged, attributes: { what: 'damaged' } },
        { value: world.cache.pool.counts.downloads, attributes: { what: 'downloads' } },
      ]
    },
  )
  world.telemetry.observe(
    'bloomery_git_hydration_seconds',
    'total time spent on cache hydration',
    async () => [{ value: world.cache.counts.hydrationMs / 1000 }],
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
