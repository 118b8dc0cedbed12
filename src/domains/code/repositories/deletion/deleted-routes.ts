/** REST routes of deleted repositories, for site administrators. An addition: the reference has no such routes. */
import { type Static, Type } from 'typebox'
import { type Account, findAccountsById, presentUser, User } from '#domains/people/users'
import { UNDO_MS } from '#git'
import type { Context } from '#platform/context'
import {
  asSiteAdmin,
  created,
  listed,
  PageQuery,
  pageOf,
  type Route,
  route,
  Time,
  time,
} from '#platform/rest'
import { REPOSITORY_NAME_MAX } from '../record/names.ts'
import type { DeletedRow } from '../tables.ts'
import { presentRepository, Repository } from '../wire.ts'
import { listDeleted } from './deleted-store.ts'
import { undeleteRepository } from './undelete-repository.ts'

type DeletedRepository = Static<typeof DeletedRepository>
const DeletedRepository = Type.Object(
  {
    id: Type.Integer({ description: 'the number it had, and will have again' }),
    owner: User,
    name: Type.String(),
    full_name: Type.String(),
    description: Type.String(),
    private: Type.Boolean(),
    size: Type.Integer({ description: 'in KiB' }),
    deleted_at: Time,
    kept_until: Type.String({ format: 'date-time', description: 'until then it can be taken back' }),
  },
  { title: 'DeletedRepository' },
)
const UndeleteRepository = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: REPOSITORY_NAME_MAX,
        description: 'another name than it had',
      }),
    ),
  },
  { title: 'UndeleteRepoOption' },
)

export const deletedRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/deleted-repositories',
    operationId: 'adminListDeletedRepositories',
    tag: 'admin',
    summary: 'List deleted repositories that can be restored',
    scopes: ['admin'],
    query: PageQuery,
    answers: { 200: Type.Array(DeletedRepository) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx } = visit
      const { items: deleted, total } = await listDeleted(ctx, pageOf(ctx, visit.query))
      const owners = await findAccountsById(ctx.db, [...new Set(deleted.map(({ owner_id }) => owner_id))])
      const shown = deleted.flatMap((row) => {
        const owner = owners.get(row.owner_id)
        return owner === undefined ? [] : [present(ctx, row, owner)]
      })
      return listed(visit, shown, total)
    },
  }),
  route({
    method: 'POST',
    path: '/admin/deleted-repositories/:id/undelete',
    operationId: 'adminUndeleteRepository',
    tag: 'admin',
    summary: 'Restore a deleted repository',
    scopes: ['admin'],
    params: Type.Object({ id: Type.Integer() }),
    body: UndeleteRepository,
    answers: { 201: Repository },
    open: asSiteAdmin,
    handle: async ({ ctx, params, body, opened }) => {
      const repo = await undeleteRepository(ctx, params.id, { name: body.name, actorId: opened.id })
      return created(presentRepository(repo, ctx.site))
    },
  }),
]

function present(ctx: Context, deleted: DeletedRow, owner: Account): DeletedRepository {
  const { row, counts } = deleted.record
  return {
    id: deleted.id,
    owner: presentUser(owner, ctx.actor, ctx.site),
    name: deleted.name,
    full_name: `${owner.login}/${deleted.name}`,
    description: row.description,
    private: row.is_private,
    size: Math.ceil(counts.bytes / 1024),
    deleted_at: time(deleted.deleted_at),
    kept_until: time(new Date(deleted.deleted_at.getTime() + UNDO_MS)),
  }
}
