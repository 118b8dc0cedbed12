/** The endpoint `/Groups`. */
import { shows } from '../protocol/answers.ts'
import { GROUPS_WITH_MEMBERS_MAX } from '../protocol/names.ts'
import { resourceRoutes } from '../protocol/resource-routes.ts'
import { readGroup } from './read-group.ts'
import { findMembersOf, listScimGroups, selectScimGroups } from './store.ts'
import { presentScimGroup } from './wire.ts'
import { createScimGroup, deleteScimGroup, patchScimGroup, replaceScimGroup } from './write.ts'

export const groupRoutes = resourceRoutes({
  type: 'Group',
  find: async (ctx, { source }, id) => {
    const row = await selectScimGroups(ctx.db, source.id).where('id', '=', id).executeTakeFirst()
    return row && { row }
  },
  read: readGroup,
  list: (ctx, { source }, wish) => {
    const most = shows('members', wish.shown) ? GROUPS_WITH_MEMBERS_MAX : wish.count
    return listScimGroups(ctx.db, source.id, { ...wish, count: Math.min(wish.count, most) })
  },
  // Members are read only if the client wants them: there may be thousands.
  present: async (ctx, _source, rows, shown) => {
    const ids = rows.map(({ id }) => id)
    const members = shows('members', shown) ? await findMembersOf(ctx.db, ids) : undefined
    return rows.map((row) => presentScimGroup(row, members?.get(row.id), ctx.site.url))
  },
  create: createScimGroup,
  replace: replaceScimGroup,
  patch: patchScimGroup,
  remove: deleteScimGroup,
})
