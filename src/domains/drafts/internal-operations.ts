/** Drafts as pages show and drop them. */
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { dropDraft, findDrafts } from './drafts.ts'

const Places = Type.Object({ place: Type.Array(Type.String()) })

export const draftOperations = [
  /** By place. */
  internalOperation({
    operationId: 'draftsFind',
    method: 'GET',
    query: Places,
    open: asSignedIn,
    handle: ({ ctx, opened, query }) => findDrafts(ctx, opened, query.place),
  }),
  internalOperation({
    operationId: 'draftsDrop',
    method: 'POST',
    body: Places,
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      for (const place of body.place) await dropDraft(ctx, opened, place)
    },
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof draftOperations> {}
}
