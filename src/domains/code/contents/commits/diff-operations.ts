/** Diff operations of the web UI: two commits, two sides of a comparison, and images among the files. */
import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { imageKindOf } from '#domains/people/users'
import { type Comparison, findBlobs, openDifference, type Whitespace as WhitespaceOption } from '#git'
import type { Context } from '#platform/context'
import { internalOperation } from '#platform/rest'
import { type Code, openCode } from '../open-code.ts'
import { Whitespace } from '../schemas.ts'
import { openSides, spanOfSides } from './compare.ts'

const PICTURES_MAX = 40

export const diffOperations = [
  /** By commit id. Without `from` the commit is compared with the empty tree. */
  internalOperation({
    operationId: 'repoGetDiff',
    method: 'GET',
    params: RepositoryPath,
    query: Type.Object({
      from: Type.Optional(Type.String()),
      to: Type.String(),
      whitespace: Whitespace,
    }),
    open: openCode,
    handle: ({ ctx, opened, query: { from = null, to, whitespace } }) =>
      openDiffIn(ctx, opened, { from, to }, whitespace),
  }),
  internalOperation({
    operationId: 'repoGetComparedDiff',
    method: 'GET',
    params: inRepository({ basehead: Type.String() }),
    query: Type.Object({ whitespace: Whitespace }),
    open: openCode,
    handle: async ({ ctx, opened, params, query: { whitespace } }) => {
      const sides = await openSides(ctx, opened, params.basehead)
      return openDiffIn(ctx, sides.code, await spanOfSides(ctx, sides), whitespace)
    },
  }),
  /** Dimensions of images by blob id. A file whose content is not an image is omitted. */
  internalOperation({
    operationId: 'repoFindPictures',
    method: 'GET',
    params: RepositoryPath,
    body: Type.Object({ shas: Type.Array(Type.String(), { maxItems: PICTURES_MAX }) }),
    open: openCode,
    handle: async ({ ctx, opened, body }) => {
      const blobs = await findBlobs(ctx, opened.storage_id, body.shas)
      const pictures = [...blobs].flatMap(([oid, { data, size }]) => {
        const kind = imageKindOf(data)
        return kind === undefined ? [] : [[oid, { width: kind.width, height: kind.height, size }] as const]
      })
      return new Map(pictures)
    },
  }),
] as const

/** Includes the repository whose raw routes serve both sides: the head's, for a comparison across repositories. */
async function openDiffIn(
  ctx: Context,
  code: Code,
  comparison: Comparison,
  whitespace: WhitespaceOption = 'show-all',
) {
  const difference = await openDifference(ctx, code.storage_id, comparison, whitespace)
  return { ...difference, owner: code.owner.login, repo: code.name }
}
