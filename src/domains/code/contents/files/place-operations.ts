/** Operations of the file pages: resolving a URL, and listing refs and entries. */
import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { HEADS, listRefs, listTree, TAGS } from '#git'
import { internalOperation } from '#platform/rest'
import { getRevision, openCode } from '../open-code.ts'
import { getPlace, guessPlace } from './page-place.ts'

const Text = Type.String()

export const placeOperations = [
  internalOperation({
    operationId: 'repoGetPlace',
    method: 'GET',
    params: inRepository({ kind: Text, place: Text }),
    open: openCode,
    handle: ({ ctx, opened, params }) => getPlace(ctx, opened, params.kind, params.place),
  }),
  internalOperation({
    operationId: 'repoGuessPlace',
    method: 'GET',
    params: inRepository({ place: Text }),
    open: openCode,
    handle: ({ ctx, opened, params }) => guessPlace(ctx, opened, params.place),
  }),
  /** The first branches and tags by name. The default branch is always included and comes first. */
  internalOperation({
    operationId: 'repoListRefNames',
    method: 'GET',
    params: RepositoryPath,
    query: Type.Object({ limit: Type.Integer() }),
    open: openCode,
    handle: async ({ ctx, opened: { storage_id, default_branch }, query: { limit } }) => {
      const list = async (prefix: string) => {
        const refs = await listRefs(ctx.db, storage_id, { prefixes: [prefix], skip: 0, limit })
        return refs.map(({ name }) => name.slice(prefix.length))
      }
      const [branches, tags] = await Promise.all([list(HEADS), list(TAGS)])
      return { branches: [default_branch, ...branches.filter((it) => it !== default_branch)], tags }
    },
  }),
  internalOperation({
    operationId: 'repoCountTags',
    method: 'GET',
    params: RepositoryPath,
    open: openCode,
    handle: async ({ opened }) => opened.tags,
  }),
  /** Names and types of many entries; empty for a missing directory. */
  internalOperation({
    operationId: 'repoListEntries',
    method: 'GET',
    params: RepositoryPath,
    query: Type.Object({ ref: Text, path: Text, is_recursive: Type.Boolean(), limit: Type.Integer() }),
    open: openCode,
    handle: async ({ ctx, opened, query }) => {
      const { ref, path, is_recursive: isRecursive, limit } = query
      const { oid } = await getRevision(ctx, opened, ref)
      const tree = await listTree(ctx, opened.storage_id, oid, { path, isRecursive, skip: 0, limit })
      const entries = (tree?.entries ?? []).map((it) => ({ path: it.path, type: it.type }))
      return { entries, isTruncated: tree?.isTruncated === true }
    },
  }),
] as const
