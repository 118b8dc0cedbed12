/** How pages keep an act, show it on the next page, and forget it. */
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { dropAct, findAct, keepAct } from './undo.ts'

const Place = { repository_id: Type.Integer(), owner: Type.String(), repo: Type.String() }
const Account = { account_id: Type.Integer(), login: Type.String() }
const Act = Type.Union([
  Type.Object({ kind: Type.Literal('branch'), ...Place, name: Type.String() }),
  Type.Object({
    kind: Type.Literal('closed'),
    ...Place,
    index: Type.Integer(),
    is_pull: Type.Boolean(),
  }),
  Type.Object({
    kind: Type.Literal('collaborator'),
    ...Place,
    ...Account,
    permission: Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]),
  }),
  Type.Object({
    kind: Type.Literal('member'),
    ...Account,
    team_id: Type.Integer(),
    team: Type.String(),
  }),
])

export const undoOperations = [
  internalOperation({
    operationId: 'undoKeep',
    method: 'POST',
    body: Act,
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => keepAct(ctx, opened, body),
  }),
  internalOperation({
    operationId: 'undoFind',
    method: 'GET',
    query: Type.Object({ id: Type.Integer() }),
    open: asSignedIn,
    handle: ({ ctx, opened, query }) => findAct(ctx, opened, query.id),
  }),
  internalOperation({
    operationId: 'undoDrop',
    method: 'POST',
    body: Type.Object({ id: Type.Integer() }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) => dropAct(ctx, opened, body.id),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof undoOperations> {}
}
