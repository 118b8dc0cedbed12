/**
 * The brake of directory checks. A wrong filter, or a directory that has lost its entries, looks as if everybody had left:
 * a check that would remove too many people removes none, until an administrator confirms or a check is within bounds.
 */
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { selectIdentities } from '../identities/store.ts'
import { lockSource, selectSources } from '../records/store.ts'
import type { SourceRow } from '../tables.ts'

/** As many may leave in one hour, however small the company is. */
export const MISSING_MAX = 10
const SHARE_MAX = 4

export function isTooMany(missing: number, people: number): boolean {
  return missing > MISSING_MAX && missing * SHARE_MAX > people
}

/** People whom the latest check did not find. */
export function selectMissed(db: Db, sourceId: number) {
  return selectIdentities(db).where('source_id', '=', sourceId).where('missed_at', 'is not', null)
}

/** Whether the missed people may be removed. A retry counts those who are left, so it gets the same answer. */
export function passesBrake(ctx: Context, { id, name }: SourceRow): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const { confirmed_missing, halted_at } = await lockSource(ctx.db, id)
    const { missing, people } = await countPeople(ctx.db, id)
    const isHalted = isTooMany(missing, people) && missing > (confirmed_missing ?? 0)
    if (isHalted)
      ctx.log.error(
        { source: { name }, directory: { missing, people } },
        'check of a directory was halted: it would remove too many people',
      )
    const patch = isHalted
      ? { halted_at: halted_at ?? ctx.now(), halted_missing: missing, halted_people: people }
      : { halted_at: null, halted_missing: null, halted_people: null }
    // A confirmation is for so many people, and for the check that it has started.
    const isUsed = isHalted || missing === 0
    await ctx.db
      .updateTable('authentication_source')
      .set({ ...patch, ...(isUsed && { confirmed_missing: null }) })
      .where('id', '=', id)
      .execute()
    return !isHalted
  })
}

/** A confirmation ends with the last of its people. */
export async function endConfirmation(ctx: Context, { id }: Pick<SourceRow, 'id'>): Promise<void> {
  await transact(ctx, ({ db }) =>
    db.updateTable('authentication_source').set({ confirmed_missing: null }).where('id', '=', id).execute(),
  )
}

/** For operators: at most as many as there are sources. */
export function listHalted(db: Db): Promise<SourceRow[]> {
  return selectSources(db)
    .where('halted_at', 'is not', null)
    .where('is_enabled', '=', true)
    .orderBy('name_key')
    .execute()
}

/** People who were removed before do not count. */
async function countPeople(db: Db, sourceId: number): Promise<{ missing: number; people: number }> {
  const { missing, people } = await db
    .selectFrom('external_identity')
    .select(({ fn }) => [fn.count<string>('missed_at').as('missing'), fn.countAll<string>().as('people')])
    .where('source_id', '=', sourceId)
    .where('gone_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { missing: Number(missing), people: Number(people) }
}
