/** REST routes of git objects: refs, trees, blobs, notes. */

import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { ok, type Route, route } from '#platform/rest'
import { presentCommit } from '../commits/commit-wire.ts'
import { loadParts } from '../commits/commits.ts'
import { openCode } from '../open-code.ts'
import { commitFields } from '../schemas.ts'
import { presentRef, Reference } from '../tags/tag-wire.ts'
import { getBlob, getNote, getTree, listTypedRefs } from './git-objects.ts'
import { GitBlob, GitTree, Note, presentBlob, presentTree } from './object-wire.ts'

const ObjectPath = inRepository({ sha: Type.String() })
const RefPath = inRepository({ ref: Type.String() })
const NoteQuery = Type.Object({ verification: commitFields.verification, files: commitFields.files })
const TreeQuery = Type.Object({
  recursive: Type.Optional(Type.Boolean({ description: 'list the entries of subtrees recursively' })),
  page: Type.Optional(Type.Integer()),
  per_page: Type.Optional(Type.Integer()),
})
const GIT = '/repos/:owner/:repo/git'
const facts = { tag: 'repository', scopes: ['repository'], method: 'GET' as const, open: openCode }

export const objectRoutes: readonly Route[] = [
  route({
    ...facts,
    path: `${GIT}/refs`,
    operationId: 'repoListAllGitRefs',
    summary: 'List all git refs',
    params: RepositoryPath,
    answers: { 200: Type.Array(Reference) },
    handle: async ({ ctx, opened }) => {
      const refs = await listTypedRefs(ctx, opened, '')
      return ok(refs.map(({ ref, type }) => presentRef(ref, type, opened, ctx.site)))
    },
  }),
  route({
    ...facts,
    path: `${GIT}/refs/*ref`,
    operationId: 'repoListGitRefs',
    summary: 'List git refs matching a name or prefix',
    params: RefPath,
    answers: { 200: Type.Array(Reference) },
    handle: async ({ ctx, opened, params }) => {
      const refs = await listTypedRefs(ctx, opened, params.ref)
      return ok(refs.map(({ ref, type }) => presentRef(ref, type, opened, ctx.site)))
    },
  }),
  route({
    ...facts,
    path: `${GIT}/trees/:sha`,
    operationId: 'GetTree',
    summary: 'Get a tree',
    params: ObjectPath,
    query: TreeQuery,
    answers: { 200: GitTree },
    handle: async ({ ctx, opened, params, query }) => {
      const tree = await getTree(ctx, opened, params.sha, query)
      return {
        ...ok(presentTree(tree, opened, ctx.site)),
        headers: { 'x-total-count': String(tree.total), 'access-control-expose-headers': 'X-Total-Count' },
      }
    },
  }),
  route({
    ...facts,
    path: `${GIT}/blobs/:sha`,
    operationId: 'GetBlob',
    summary: 'Get a blob',
    params: ObjectPath,
    answers: { 200: GitBlob },
    handle: async ({ ctx, opened, params }) =>
      ok(presentBlob(await getBlob(ctx, opened, params.sha), opened, ctx.site)),
  }),
  route({
    ...facts,
    path: `${GIT}/notes/:sha`,
    operationId: 'repoGetNote',
    summary: 'Get the git note of a commit',
    params: ObjectPath,
    query: NoteQuery,
    answers: { 200: Note },
    handle: async ({ ctx, opened, params, query }) => {
      const { message, commit } = await getNote(ctx, opened, params.sha, query)
      const parts = await loadParts(ctx, opened, [commit], query)
      return ok({ message, commit: presentCommit(commit, parts, opened, ctx.site) })
    },
  }),
]
