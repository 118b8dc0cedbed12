/** REST routes of tags. */

import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { created, listed, noContent, ok, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { openCode, openCodeToWrite } from '../open-code.ts'
import { CreateTag } from '../schemas.ts'
import { AnnotatedTag, presentAnnotatedTag, presentTag, Tag } from './tag-wire.ts'
import { createTag, deleteTag, getAnnotatedTag, getTag, listTags } from './tags.ts'

const TagPath = inRepository({ tag: Type.String() })
const ObjectPath = inRepository({ sha: Type.String() })
const LIST = '/repos/:owner/:repo/tags'
const ONE = `${LIST}/*tag`
const facts = { tag: 'repository', scopes: ['repository'] }

export const tagRoutes: readonly Route[] = [
  route({
    ...facts,
    method: 'GET',
    path: LIST,
    operationId: 'repoListTags',
    summary: "List a repository's tags",
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: Type.Array(Tag) },
    open: openCode,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { tags, total } = await listTags(ctx, opened, pageOf(ctx, query))
      const records = tags.map((tag) => presentTag(tag, opened, ctx.site))
      return listed(visit, records, total, { links: false })
    },
  }),
  route({
    ...facts,
    method: 'POST',
    path: LIST,
    operationId: 'repoCreateTag',
    summary: 'Create a tag',
    params: RepositoryPath,
    body: CreateTag,
    answers: { 201: Tag },
    open: openCodeToWrite,
    handle: async ({ ctx, opened, body }) =>
      created(presentTag(await createTag(ctx, opened, body), opened.repo, ctx.site)),
  }),
  route({
    ...facts,
    method: 'GET',
    path: ONE,
    operationId: 'repoGetTag',
    summary: 'Get a tag',
    params: TagPath,
    answers: { 200: Tag },
    open: openCode,
    handle: async ({ ctx, opened, params }) =>
      ok(presentTag(await getTag(ctx, opened, params.tag), opened, ctx.site)),
  }),
  route({
    ...facts,
    method: 'GET',
    path: '/repos/:owner/:repo/git/tags/:sha',
    operationId: 'GetAnnotatedTag',
    summary: 'Get an annotated tag object',
    params: ObjectPath,
    answers: { 200: AnnotatedTag },
    open: openCode,
    handle: async ({ ctx, opened, params }) => {
      const { tag, verdict } = await getAnnotatedTag(ctx, opened, params.sha)
      return ok(presentAnnotatedTag(tag, verdict, opened, ctx.site))
    },
  }),

  route({
    ...facts,
    method: 'DELETE',
    path: ONE,
    operationId: 'repoDeleteTag',
    summary: 'Delete a tag',
    params: TagPath,
    answers: { 204: null },
    open: openCodeToWrite,
    handle: async ({ ctx, opened, params }) => {
      await deleteTag(ctx, opened, params.tag)
      return noContent()
    },
  }),
]
