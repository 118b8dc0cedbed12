/** What an account did a moment ago and can take back. Taking back is an operation like any other, and checks access again. */
import { sql } from 'kysely'
import type { Actor, Context } from '#platform/context'
import { transact } from '#platform/context'
import { deleteInParts } from '#platform/db'
import type { Act } from './tables.ts'

/** Per account; beyond it, the oldest are deleted. */
const ACTS_MAX = 50
/** As long as a deleted branch can be restored. */
const KEPT_MS = 7 * 86_400_000

/** Returns its id, which only this account can use. */
export async function keepAct(ctx: Context, { id }: Pick<Actor, 'id'>, act: Act): Promise<number> {
  return transact(ctx, async ({ db, now }) => {
    const row = { account_id: id, act: JSON.stringify(act), created_at: now() }
    const kept = await db.insertInto('undo').values(row).returning('id').executeTakeFirstOrThrow()
    const newest = db
      .selectFrom('undo')
      .select('id')
      .where('account_id', '=', id)
      .orderBy('id', 'desc')
      .limit(ACTS_MAX)
    await db.deleteFrom('undo').where('account_id', '=', id).where('id', 'not in', newest).execute()
    return kept.id
  })
}

/** undefined if it was taken back, or is too old. */
export async function findAct(
  { db, now }: Context,
  account: Pick<Actor, 'id'>,
  id: number,
): Promise<Act | undefined> {
  const row = await db
    .selectFrom('undo')
    .select('act')
    .where('id', '=', id)
    .where('account_id', '=', account.id)
    .where('created_at', '>', new Date(now().getTime() - KEPT_MS))
    .executeTakeFirst()
  return row?.act
}

export async function dropAct(ctx: Context, account: Pick<Actor, 'id'>, id: number): Promise<void> {
  await transact(ctx, ({ db }) =>
    db.deleteFrom('undo').where('id', '=', id).where('account_id', '=', account.id).execute(),
  )
}

/** Run by cron. */
export async function sweepActs({ db, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS)
  await deleteInParts(db, 'undo', sql<boolean>`created_at <= ${before}`)
}
