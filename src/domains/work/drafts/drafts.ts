/** Drafts: one text per account and place, kept until it is sent or emptied. */
import { sql } from 'kysely'
import { type Db, deleteInParts } from '#platform/db'
import { Statement } from '#platform/db/statement'
import './tables.ts'
import { type Actor, type Context, transact } from '#platform/context'
import { invalid } from '#platform/problem'

export const PLACE_MAX = 300
export const DRAFT_MAX = 262_144
/** Per account; beyond it, the oldest are deleted. */
const DRAFTS_MAX = 500
const KEPT_MS = 60 * 86_400_000

/** An empty text deletes the draft. */
export async function keepDraft(
  ctx: Context,
  { id }: Pick<Actor, 'id'>,
  place: string,
  text: string,
): Promise<void> {
  if (place === '' || place.length > PLACE_MAX) throw invalid('place of a draft is invalid')
  if (text.length > DRAFT_MAX) throw invalid('draft is too long')
  if (text.includes('\0') || place.includes('\0')) throw invalid('text must not contain a null character')
  if (text.trim() === '') return dropDraft(ctx, { id }, place)
  await transact(ctx, async (ctx) => {
    const row = { account_id: id, place, text, updated_at: ctx.now() }
    await ctx.db
      .insertInto('draft')
      .values(row)
      .onConflict((conflict) => conflict.columns(['account_id', 'place']).doUpdateSet(row))
      .execute()
    const kept = ctx.db
      .selectFrom('draft')
      .select('place')
      .where('account_id', '=', id)
      .orderBy('updated_at', 'desc')
      .limit(DRAFTS_MAX)
    await ctx.db.deleteFrom('draft').where('account_id', '=', id).where('place', 'not in', kept).execute()
  })
}

/** By place. */
export async function findDrafts(
  { db }: Context,
  actor: Pick<Actor, 'id'> | null,
  places: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (actor === null || places.length === 0) return new Map()
  const rows = await FOUND.rows(db, { accountId: actor.id, places })
  return new Map(rows.map(({ place, text }) => [place, text]))
}

const FOUND = new Statement(
  (db: Db, { accountId, places }: { accountId: number; places: readonly string[] }) =>
    db
      .selectFrom('draft')
      .select(['place', 'text'])
      .where('account_id', '=', accountId)
      .where('place', 'in', places),
)

export async function dropDraft(ctx: Context, { id }: Pick<Actor, 'id'>, place: string): Promise<void> {
  await transact(ctx, ({ db }) =>
    db.deleteFrom('draft').where('account_id', '=', id).where('place', '=', place).execute(),
  )
}

/** Run by cron. */
export async function sweepDrafts({ db, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS)
  await deleteInParts(db, 'draft', sql<boolean>`updated_at < ${before}`)
}
