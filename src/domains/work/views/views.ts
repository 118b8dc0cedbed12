/** Saved views: the path and query of a list, under a name that a user chose. */
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { Statement } from '#platform/db/statement'
import { localPath } from '#platform/page'
import { invalid } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { SavedView } from './tables.ts'

/** Per account; concurrent saves may exceed it by one or two. */
const VIEWS_MAX = 50
const NAME_MAX = 100
const PATH_MAX = 500
const QUERY_MAX = 2_000

/** The same name on the same list replaces its query. */
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

/** The user's own views, of one list or of all. */
export function listViews(
  { db }: Context,
  { id }: Pick<SignedIn, 'id'>,
  path?: string,
): Promise<SavedView[]> {
  return LISTED.rows(db, { id, path })
}

const LISTED = new Statement((db: Db, { id, path }: { id: number; path: string | undefined }) => {
  const views = db.selectFrom('saved_view').select(['name', 'path', 'query']).where('account_id', '=', id)
  return (path === undefined ? views : views.where('path', '=', path))
    .orderBy('path')
    .orderBy('name')
    .limit(VIEWS_MAX)
})
