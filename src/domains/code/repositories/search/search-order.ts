/** The orders a search can have. Each ends in something no two repositories share, so that pages never overlap. */
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
  /** This owner's repositories come first, the others by their owners. */
  readonly firstOwnerId?: number | undefined
  /** What the owner of this name has comes first. In lower case. */
  readonly firstOwner?: string | undefined
}

interface Key {
  readonly key: RawBuilder<unknown>
  readonly direction: Direction
}
interface Sorting {
  /** What the keys come from besides the repository: behind the tables it is found by. */
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
  // Nothing is kept for LFS beside git itself: all are equal.
  lfs_size: { join: ALONE, keys: [sql`repository.id`] },
  stars: { join: COUNTED, keys: [sql`repository_count.stars`, sql`repository_count.repository_id`] },
  forks: { join: COUNTED, keys: [sql`repository_count.forks`, sql`repository_count.repository_id`] },
  id: { join: ALONE, keys: [sql`repository.id`] },
}

/** Compat: by name unless it is said otherwise, and `alpha` means by the name of the owner first. */
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
