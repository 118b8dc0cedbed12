/** Comments over REST. */
import { Type } from 'typebox'
import { inRepository, openTracker, RepositoryPath, type Tracker } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { created, listed, noContent, ok, pageFields, pageOf, type Route, routesOf } from '#platform/rest'
import { mayRead, openAsSignedIn, openIssue, openUnarchived } from '../records/open-issue.ts'
import { IssuePath, TEXT_MAX } from '../records/schemas.ts'
import { spanFields, spanOf } from '../timeline/routes.ts'
import { lookAround, showComment } from '../timeline/show-entries.ts'
import { findEntry, listComments, listCommentsOf } from '../timeline/store.ts'
import { Comment, presentComment } from '../timeline/wire.ts'
import { createComment, deleteComment, editComment, type Said } from './write-comment.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const BASE = '/repos/:owner/:repo/issues'
const CommentPath = inRepository({ id: Type.Integer() })
/** The deprecated path also has the issue number. */
const AnyPath = inRepository({ id: Type.Integer(), index: Type.Optional(Type.Integer()) })
const Text = Type.String({ minLength: 1, maxLength: TEXT_MAX })
const CreateComment = Type.Object({ body: Text }, { title: 'CreateIssueCommentOption' })
const EditComment = Type.Object({ body: Text }, { title: 'EditIssueCommentOption' })

const reading: readonly Route[] = [
  route({
    method: 'GET',
    path: `${BASE}/:index/comments`,
    operationId: 'issueGetComments',
    summary: 'List all comments on an issue',
    params: IssuePath,
    query: Type.Object(spanFields),
    answers: { 200: Type.Array(Comment) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const span = spanOf(query)
      const issue = await openIssue(ctx, opened, params.index)
      const { items, total } = await listComments(ctx, issue.id, span)
      const around = await lookAround(ctx, opened, items)
      const shown = items.map((comment) => presentComment(comment, issue, around))
      return listed({ ...visit, query: {} }, shown, total, { links: false })
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/comments`,
    operationId: 'issueGetRepoComments',
    summary: "List all comments in a repository's issues",
    params: RepositoryPath,
    query: Type.Object({ ...pageFields, ...spanFields }),
    answers: { 200: Type.Array(Comment) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const isPull = mayRead(opened, false) && mayRead(opened, true) ? null : mayRead(opened, true)
      const page = pageOf(ctx, query)
      const { items, total } = await listCommentsOf(ctx, opened.id, isPull, spanOf(query), page)
      const around = await lookAround(ctx, opened, items)
      const shown = items.map((comment) => presentComment(comment, comment, around))
      return listed(visit, shown, total, { links: false })
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/comments/:id`,
    operationId: 'issueGetComment',
    summary: 'Get a comment',
    params: CommentPath,
    answers: { 200: Comment, 204: null },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      const entry = await findEntry(ctx, opened.id, params.id)
      if (entry === undefined || !mayRead(opened, entry.is_pull)) throw notFound('comment', params.id)
      // Compat: a timeline entry that is no comment has an empty response.
      if (entry.kind !== 'comment') return noContent()
      return ok(await showComment(ctx, opened, entry))
    },
  }),
]

/** For the current and the deprecated path. */
const editing = (path: string, operationId: string, deprecated: boolean): Route =>
  route({
    method: 'PATCH',
    path,
    operationId,
    summary: deprecated ? 'Update a comment (older path)' : 'Update a comment',
    deprecated,
    params: AnyPath,
    body: EditComment,
    answers: { 200: Comment, 204: null },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const said = await editComment(ctx, opened, params.id, body.body)
      return said === undefined ? noContent() : ok(await show(ctx, opened.tracker, said))
    },
  })

const deleting = (path: string, operationId: string, deprecated: boolean): Route =>
  route({
    method: 'DELETE',
    path,
    operationId,
    summary: deprecated ? 'Delete a comment (older path)' : 'Delete a comment',
    deprecated,
    params: AnyPath,
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await deleteComment(ctx, opened, params.id)
      return noContent()
    },
  })

export const commentRoutes: readonly Route[] = [
  ...reading,
  route({
    method: 'POST',
    path: `${BASE}/:index/comments`,
    operationId: 'issueCreateComment',
    summary: 'Add a comment to an issue',
    params: IssuePath,
    body: CreateComment,
    answers: { 201: Comment },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const said = await createComment(ctx, opened, params.index, body.body)
      return created(await show(ctx, opened.tracker, said))
    },
  }),
  editing(`${BASE}/comments/:id`, 'issueEditComment', false),
  editing(`${BASE}/:index/comments/:id`, 'issueEditCommentDeprecated', true),
  deleting(`${BASE}/comments/:id`, 'issueDeleteComment', false),
  deleting(`${BASE}/:index/comments/:id`, 'issueDeleteCommentDeprecated', true),
]

async function show(ctx: Context, tracker: Tracker, { issue, comment }: Said): Promise<Comment> {
  return presentComment(comment, issue, await lookAround(ctx, tracker, [comment]))
}
