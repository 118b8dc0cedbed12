/** All cards of a board in one call, for pages: of a repository, an organization or the caller. */
import { Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'
import { OrgPath } from '#domains/people/orgs'
import { openInOrg, openInRepository, openOwn } from '#domains/work/projects'
import { internalOperation } from '#platform/rest'
import { showBoard } from './show-board.ts'

const id = Type.Integer()
/** Per column. */
const query = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 50 }) })

export const boardOperations = [
  internalOperation({
    operationId: 'repoGetBoard',
    method: 'GET',
    params: inRepository({ id }),
    query,
    open: ({ ctx, params }) => openInRepository(ctx, params),
    handle: ({ ctx, params, query, opened }) => showBoard(ctx, opened, params.id, query.limit),
  }),
  internalOperation({
    operationId: 'orgGetBoard',
    method: 'GET',
    params: Type.Object({ ...OrgPath.properties, id }),
    query,
    open: ({ ctx, params }) => openInOrg(ctx, params.org),
    handle: ({ ctx, params, query, opened }) => showBoard(ctx, opened, params.id, query.limit),
  }),
  internalOperation({
    operationId: 'userCurrentGetBoard',
    method: 'GET',
    params: Type.Object({ id }),
    query,
    open: ({ ctx }) => openOwn(ctx),
    handle: ({ ctx, params, query, opened }) => showBoard(ctx, opened, params.id, query.limit),
  }),
] as const
