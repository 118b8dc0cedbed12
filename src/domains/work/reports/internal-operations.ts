/** Operations of the pages that report abuse. */
import { Type } from 'typebox'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { openTarget } from './open-target.ts'
import { reportAbuse } from './reports.ts'
import { Category } from './wire.ts'

const BODY_MAX = 5_000
const Target = Type.Object({
  owner: Type.String(),
  repo: Type.Optional(Type.String()),
  index: Type.Optional(Type.Integer()),
  comment: Type.Optional(Type.Integer()),
})

export const reportOperations = [
  /** The path of what is to be reported. */
  internalOperation({
    operationId: 'reportGetTarget',
    method: 'GET',
    query: Target,
    open: openTarget,
    handle: async ({ opened }) => opened.path,
  }),
  internalOperation({
    operationId: 'reportAbuse',
    method: 'POST',
    query: Target,
    body: Type.Object({
      category: Category,
      body: Type.String({ minLength: 1, maxLength: BODY_MAX }),
    }),
    open: openTarget,
    handle: ({ ctx, opened, body }) => reportAbuse(ctx, opened, body),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof reportOperations> {}
}
