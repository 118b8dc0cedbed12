/** The endpoint `/Users`. */
import { resourceRoutes } from '../protocol/resource-routes.ts'
import { readUser } from './read-user.ts'
import { findGroupsOf, listScimUsers, selectScimUsers } from './store.ts'
import { presentScimUser } from './wire.ts'
import { createScimUser, deleteScimUser, patchScimUser, replaceScimUser } from './write.ts'

export const userRoutes = resourceRoutes({
  type: 'User',
  find: async (ctx, { source }, id) => {
    const found = await selectScimUsers(ctx.db, source.id)
      .innerJoin('account', 'account.id', 'scim_user.account_id')
      .select('account.login')
      .where('scim_user.id', '=', id)
      .executeTakeFirst()
    if (found === undefined) return undefined
    const { login, ...row } = found
    return { row, person: { id: row.account_id, login } }
  },
  read: readUser,
  list: (ctx, { source }, wish) => listScimUsers(ctx.db, source.id, wish),
  present: async (ctx, { source }, rows) => {
    const ids = rows.map(({ account_id }) => account_id)
    const groups = await findGroupsOf(ctx.db, source.id, ids)
    return rows.map((row) => presentScimUser(row, groups.get(row.account_id) ?? [], ctx.site.url))
  },
  create: createScimUser,
  replace: replaceScimUser,
  patch: patchScimUser,
  remove: deleteScimUser,
})
