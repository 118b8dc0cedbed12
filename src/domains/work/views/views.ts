/** Saved views: the address of a list with what was asked of it, by a name of somebody's own. */
import { type Context, transact } from '#platform/context'
import { localPath } from '#platform/page'
import { invalid } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { SavedView } from './tables.ts'

/** Of one account, everywhere; one or two more for whoever saves several at the same moment. */
const VIEWS_MAX = 50
const NAME_MAX = 100
const PATH_MAX = 500
const QUERY_MAX = 2_000

/** The same name on the same list is the same view, with what is asked of it now. */
export function saveView(ctx: Context, { id }: SignedIn, { name, path, query }: SavedView): Promise<void> {
  if (name === '' || name.length > NAME_MAX) throw invalid('name of a view is invalid')
  if (localPath(path) === undefined || path.length > PATH_MAX || query.length > QUERY_MAX)
    throw invalid('address of a view is invalid')
  return transact(ctx, async (ctx) => {
    await ctx.db
      .insertInto('saved_view')
      .values({ account_id: id, name, path, query, created_at: ctx.now() })
      .onConflict((conflict) => conflict.columns(['account_id', 'path', 'name']).doUpdateSet({ query }))
      .execute()
    const { kept } = await ctx.db
      .selectFrom('saved_view')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow()
    if (kept > VIEWS_MAX) throw invalid('too many views are saved', { max: VIEWS_MAX })
  })
}

export function dropView(
  ctx: Context,
  { id }: SignedIn,
  { name, path }: Pick<SavedView, 'name' | 'path'>,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    await ctx.db
      .deleteFrom('saved_view')
      .where('account_id', '=', id)
      .where('path', '=', path)
      .where('name', '=', name)
      .execute()
  })
}

/** Somebody's own: of one list, or of all. */
export function listViews(
  { db }: Context,
  { id }: Pick<SignedIn, 'id'>,
  path?: string,
): Promise<SavedView[]> {
  const views = db.selectFrom('saved_view').select(['name', 'path', 'query']).where('account_id', '=', id)
  return (path === undefined ? views : views.where('path', '=', path))
    .orderBy('path')
    .orderBy('name')
    .limit(VIEWS_MAX)
    .execute()
}
