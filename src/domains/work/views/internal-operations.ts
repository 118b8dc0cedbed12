/** Saved views, used by pages only. */
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { dropView, listViews, saveView } from './views.ts'

const Text = Type.String()

export const viewOperations = [
  /** Of one list, or of all. */
  internalOperation({
    operationId: 'viewsList',
    method: 'GET',
    query: Type.Object({ path: Type.Optional(Text) }),
    open: asSignedIn,
    handle: ({ ctx, opened, query }) => listViews(ctx, opened, query.path),
  }),
  internalOperation({
    operationId: 'viewsSave',
    method: 'POST',
    body: Type.Object({ name: Text, path: Text, query: Text }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => saveView(ctx, opened, body),
  }),
  internalOperation({
    operationId: 'viewsDrop',
    method: 'POST',
    body: Type.Object({ name: Text, path: Text }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => dropView(ctx, opened, body),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof viewOperations> {}
}
