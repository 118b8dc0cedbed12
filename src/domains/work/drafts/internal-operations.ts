/** How pages read, keep and delete drafts. */
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { dropDraft, findDrafts, keepDraft } from './drafts.ts'

export const draftOperations = [
  /** By place. */
  internalOperation({
    operationId: 'draftsFind',
    method: 'GET',
    query: Type.Object({ place: Type.Optional(Type.Array(Type.String())) }),
    open: asSignedIn,
    handle: ({ ctx, opened, query }) => findDrafts(ctx, opened, query.place ?? []),
  }),
  internalOperation({
    operationId: 'draftsKeep',
    method: 'POST',
    body: Type.Object({ place: Type.String(), text: Type.String() }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => keepDraft(ctx, opened, body.place, body.text),
  }),
  internalOperation({
    operationId: 'draftsDrop',
    method: 'POST',
    body: Type.Object({ place: Type.Array(Type.String()) }),
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      for (const place of body.place) await dropDraft(ctx, opened, place)
    },
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof draftOperations> {}
}
