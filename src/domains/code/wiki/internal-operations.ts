/** Wiki operations of the web UI that the REST API does not have. */
import { Type } from 'typebox'
import { presentPerson, Whitespace } from '#domains/code/contents'
import { inRepository } from '#domains/code/repositories'
import { findCommit, openDifference, resolveRevision } from '#git'
import { notFound } from '#platform/problem'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { openWiki } from './open-wiki.ts'

export const wikiOperations = [
  internalOperation({
    operationId: 'repoGetWikiCommit',
    method: 'GET',
    params: inRepository({ sha: Type.String() }),
    query: Type.Object({ whitespace: Whitespace }),
    open: openWiki,
    handle: async ({ ctx, opened: { storageId }, params, query }) => {
      const found = await resolveRevision(ctx, storageId, params.sha)
      const commit = found && (await findCommit(ctx, storageId, found.oid))
      if (commit === undefined) throw notFound('commit', params.sha)
      const { oid: sha, message, author, parents } = commit
      const span = { from: parents[0] ?? null, to: sha }
      const difference = await openDifference(ctx, storageId, span, query.whitespace ?? 'show-all')
      return { sha, message, author: presentPerson(author), difference }
    },
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof wikiOperations> {}
}
