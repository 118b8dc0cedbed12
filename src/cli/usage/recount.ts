/** Sets the counters of storage to what is stored. */
import { lockRepositoriesOf, writeBytes } from '#domains/code/repositories'
import { lockUsage } from '#domains/packages/packages'
import { writeUsage } from '#domains/people/quotas'
import { type Context, transact } from '#platform/context'
import { type Difference, findDifferences, readStored, sumByKind } from './stored.ts'

const OWNERS_AT_ONCE = 100

/** Yields what was counted wrong. */
export async function* recountAll(ctx: Context): AsyncGenerator<Difference> {
  for (let after = 0; ; ) {
    const owners = await listOwners(ctx, after)
    const differences = await findDifferences(ctx.db, owners)
    for (const id of new Set(differences.map(({ ownerId }) => ownerId))) await recount(ctx, id)
    yield* differences
    if (owners.length < OWNERS_AT_ONCE) return
    after = owners.at(-1) ?? after
  }
}

async function listOwners(ctx: Context, after: number): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('account')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(OWNERS_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}

/** Transactions that count bytes of this owner wait for this one, and add to the sums that it writes. */
function recount(ctx: Context, ownerId: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    await lockRepositoriesOf(ctx.db, ownerId)
    await lockUsage(ctx.db, ownerId)
    const stored = await readStored(ctx.db, [ownerId])
    for (const { repository_id, counter, bytes } of stored)
      if (repository_id !== null && counter !== 'packages')
        await writeBytes(ctx.db, repository_id, { [counter]: bytes })
    await writeUsage(ctx.db, ownerId, sumByKind(stored).get(ownerId) ?? new Map())
  })
}
