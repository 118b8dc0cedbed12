/**
 * Links repositories to the objects of commits that came from another repository without a client of LFS: by merging a pull
 * request, or by synchronizing a fork.
 */

import { actAs } from '#domains/people/users'
import { type Consumer, preparedConsumer } from '#events/consumer'
import type { StorageId } from '#git'
import type { Context, TxContext } from '#platform/context'
import type { Db } from '#platform/db'
import type { ObjectRow } from '../tables.ts'
import { linkObjects } from './link.ts'
import { findPointers } from './pointers.ts'
import { findInNetwork, findLinked, hasLinkedRelatives } from './store.ts'

const OIDS_AT_ONCE = 1_000

interface Merged {
  readonly repositoryId: number
  readonly tips: readonly string[]
  readonly known: readonly string[]
}

/** The repository that needs links, and the objects. */
export interface FoundObjects {
  readonly repo: Place
  readonly objects: readonly ObjectRow[]
}

interface Place {
  readonly id: number
  readonly storage_id: StorageId
  readonly family_id: number | null
}

export const linkConsumers: readonly Consumer[] = [
  {
    ...preparedConsumer(
      'lfs_links',
      'refs.moved',
      async (ctx, { repository_id, actor_id, restriction, updates }) => {
        const range = { tips: updates.map((it) => it.new), known: updates.map((it) => it.old) }
        const actor = (await actAs(ctx, actor_id, restriction))?.actor
        if (!actor) return undefined
        return findMerged(ctx, { repositoryId: repository_id, ...range }, (repo, oids) =>
          findInNetwork(ctx.db, actor, repo, oids),
        )
      },
      (ctx, _event, _meta, found) => linkMerged(ctx, found),
    ),
    // Clients of LFS upload what they push.
    hears: (event) => (event as { cause?: string }).cause === 'api',
    isLate: true,
  } as Consumer,
]

/** For a merged pull request: the objects of its commits that the head repository has. */
export async function findObjectsOfHead(
  ctx: Context,
  merged: Merged,
  headRepositoryId: number,
): Promise<FoundObjects | undefined> {
  const head = await findPlace(ctx.db, headRepositoryId)
  if (head === undefined || headRepositoryId === merged.repositoryId) return undefined
  return findMerged(ctx, merged, (_, oids) => findLinked(ctx.db, head.storage_id, oids))
}

/** What was merged is counted and never refused: the merge is done. */
export async function linkMerged(ctx: TxContext, found: FoundObjects | undefined): Promise<void> {
  if (found !== undefined) await linkObjects(ctx, found.repo, found.objects, { isLimited: false })
}

async function findMerged(
  ctx: Context,
  { repositoryId, ...range }: Merged,
  find: (repo: Place, oids: readonly string[]) => Promise<ObjectRow[]>,
): Promise<FoundObjects | undefined> {
  const repo = await findPlace(ctx.db, repositoryId)
  // Nearly all repositories end here, without a git process.
  if (repo === undefined || !(await hasLinkedRelatives(ctx.db, repo))) return undefined
  const { sizes } = await findPointers(ctx, repo.storage_id, range)
  const objects: ObjectRow[] = []
  const oids = [...sizes.keys()]
  for (let i = 0; i < oids.length; i += OIDS_AT_ONCE)
    objects.push(...(await find(repo, oids.slice(i, i + OIDS_AT_ONCE))))
  return { repo, objects: objects.filter(({ oid, bytes }) => sizes.get(oid) === bytes) }
}

function findPlace(db: Db, id: number): Promise<Place | undefined> {
  return db
    .selectFrom('repository')
    .select(['id', 'storage_id', 'family_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}
