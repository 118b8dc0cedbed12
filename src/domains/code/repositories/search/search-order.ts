/** The orders of a search. Each ends in a unique key, so that pages never overlap. */
import { type RawBuilder, sql } from 'kysely'

export const SORTS = [
  'alpha',
  'created',
  'updated',
  'size',
  'git_size',
  'lfs_size',
  'stars',
  'forks',
  'id',
] as const
export type Sort = (typeof SORTS)[number]
type Direction = 'asc' | 'desc'

export interface WantedOrder {
  readonly sort?: Sort | undefined
  readonly direction: Direction
  /** This owner's repositories come first, the others are ordered by owner. */
  readonly firstOwnerId?: number | undefined
  /** The repositories of the owner with this name come first. Lower case. */
  readonly firstOwner?: string | undefined
}

interface Key {
  readonly key: RawBuilder<unknown>
  readonly direction: Direction
}
interface Sorting {
  /** Joins for the keys, appended to the from clause. */
  readonly join: RawBuilder<unknown>
  readonly keys: readonly RawBuilder<unknown>[]
}

const ALONE = sql``
const COUNTED = sql`join repository_count on repository_count.repository_id = repository.id`
const OWNED = sql`join account on account.id = repository.owner_id`

const BY_NAME: Sorting = { join: ALONE, keys: [sql`repository.name_key`, sql`repository.id`] }
const BY_SIZE: Sorting = {
  join: COUNTED,
  keys: [sql`repository_count.bytes`, sql`repository_count.repository_id`],
}
const SORTINGS: Readonly<Record<Sort, Sorting>> = {
  alpha: { join: OWNED, keys: [sql`account.login_key`, sql`repository.name_key`] },
  created: { join: ALONE, keys: [sql`repository.created_at`, sql`repository.id`] },
  updated: { join: ALONE, keys: [sql`repository.updated_at`, sql`repository.id`] },
  size: BY_SIZE,
  git_size: BY_SIZE,
  // LFS objects are not counted separately from git objects, so all sizes are equal.
  lfs_size: { join: ALONE, keys: [sql`repository.id`] },
  stars: { join: COUNTED, keys: [sql`repository_count.stars`, sql`repository_count.repository_id`] },
  forks: { join: COUNTED, keys: [sql`repository_count.forks`, sql`repository_count.repository_id`] },
  id: { join: ALONE, keys: [sql`repository.id`] },
}

/** Compat: by name by default, and `alpha` orders by the owner's name first. */
export function orderOf({ sort, direction, firstOwnerId, firstOwner }: WantedOrder): {
  join: RawBuilder<unknown>
  keys: Key[]
} {
  const { join, keys } = sort === undefined ? BY_NAME : SORTINGS[sort]
  const before: RawBuilder<unknown>[] = []
  if (firstOwnerId !== undefined)
    before.push(sql`(repository.owner_id <> ${firstOwnerId})`, sql`repository.owner_id`)
  else if (firstOwner !== undefined)
    before.push(sql`(repository.owner_id <> coalesce(
      (select named.id from account as named where named.login_key = ${firstOwner}), 0))`)
  return {
    join,
    keys: [
      ...before.map((key) => ({ key, direction: 'asc' as const })),
      ...keys.map((key) => ({ key, direction })),
    ],
  }
}
