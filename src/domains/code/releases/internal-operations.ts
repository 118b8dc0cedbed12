/** What pages of releases show and the REST API does not have. */
import { Type } from 'typebox'
import { openToRead, RepositoryPath } from '#domains/code/repositories'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { findOriginalAuthors } from './record/store.ts'

const LISTED_MAX = 100

export const releaseOperations = [
  /** Names at the source by id, of imported releases whose authors have no account here. */
  internalOperation({
    operationId: 'releaseListOriginalAuthors',
    method: 'GET',
    params: RepositoryPath,
    body: Type.Object({ ids: Type.Array(Type.Integer(), { maxItems: LISTED_MAX }) }),
    open: ({ ctx, params }) => openToRead(ctx, params, 'releases'),
    handle: ({ ctx, opened, body }) => findOriginalAuthors(ctx.db, opened.id, body.ids),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof releaseOperations> {}
}
