/** Attachments of issues and comments over REST. */
import { Type } from 'typebox'
import {
  Attachment,
  EditAttachment,
  getAttachment,
  listAttachments,
  presentAttachment,
  UploadQuery,
} from '#domains/code/attachments'
import { inRepository, openTracker, type Tracker } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { created, noContent, ok, type Route, routesOf, type Upload } from '#platform/rest'
import { type Caller, openUnarchived } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { attachFile, removeFile, renameFile } from './attach-file.ts'
import { assertMayAttach, openTarget, type Place } from './open-attachments.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const OF_ISSUE = '/repos/:owner/:repo/issues/:index/assets'
const OF_COMMENT = '/repos/:owner/:repo/issues/comments/:id/assets'
const IssueFilePath = inRepository({ index: Type.Integer(), attachment_id: Type.Integer() })
const CommentPath = inRepository({ id: Type.Integer() })
const CommentFilePath = inRepository({ id: Type.Integer(), attachment_id: Type.Integer() })

const issueAt = (params: { readonly index: number }): Place => ({ number: params.index })
const commentAt = (params: { readonly id: number }): Place => ({ commentId: params.id })

const issueRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: OF_ISSUE,
    operationId: 'issueListIssueAttachments',
    summary: "List an issue's attachments",
    params: IssuePath,
    answers: { 200: Type.Array(Attachment) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) => ok(await showAll(ctx, opened, issueAt(params))),
  }),
  route({
    method: 'POST',
    path: OF_ISSUE,
    operationId: 'issueCreateIssueAttachment',
    summary: 'Upload an issue attachment',
    params: IssuePath,
    query: UploadQuery,
    takesFile: true,
    answers: { 201: Attachment },
    open: (visit) => openToAttach(visit, issueAt(visit.params)),
    handle: async ({ ctx, params, query, upload, opened }) =>
      created(await add(ctx, opened, issueAt(params), upload, query.name)),
  }),
  route({
    method: 'GET',
    path: `${OF_ISSUE}/:attachment_id`,
    operationId: 'issueGetIssueAttachment',
    summary: 'Get an issue attachment',
    params: IssueFilePath,
    answers: { 200: Attachment },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(await showOne(ctx, opened, issueAt(params), params.attachment_id)),
  }),
  route({
    method: 'PATCH',
    path: `${OF_ISSUE}/:attachment_id`,
    operationId: 'issueEditIssueAttachment',
    summary: 'Update an issue attachment',
    params: IssueFilePath,
    body: EditAttachment,
    answers: { 201: Attachment },
    open: (visit) => openToAttach(visit, issueAt(visit.params)),
    handle: async ({ ctx, params, body, opened }) => {
      const renamed = await renameFile(ctx, opened, issueAt(params), params.attachment_id, body.name)
      return created(presentAttachment(renamed, ctx.site))
    },
  }),
  route({
    method: 'DELETE',
    path: `${OF_ISSUE}/:attachment_id`,
    operationId: 'issueDeleteIssueAttachment',
    summary: 'Delete an issue attachment',
    params: IssueFilePath,
    answers: { 204: null },
    open: (visit) => openToAttach(visit, issueAt(visit.params)),
    handle: async ({ ctx, params, opened }) => {
      await removeFile(ctx, opened, issueAt(params), params.attachment_id)
      return noContent()
    },
  }),
]

const commentRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: OF_COMMENT,
    operationId: 'issueListIssueCommentAttachments',
    summary: "List a comment's attachments",
    params: CommentPath,
    answers: { 200: Type.Array(Attachment) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) => ok(await showAll(ctx, opened, commentAt(params))),
  }),
  route({
    method: 'POST',
    path: OF_COMMENT,
    operationId: 'issueCreateIssueCommentAttachment',
    summary: 'Upload a comment attachment',
    params: CommentPath,
    query: UploadQuery,
    takesFile: true,
    answers: { 201: Attachment },
    open: (visit) => openToAttach(visit, commentAt(visit.params)),
    handle: async ({ ctx, params, query, upload, opened }) =>
      created(await add(ctx, opened, commentAt(params), upload, query.name)),
  }),
  route({
    method: 'GET',
    path: `${OF_COMMENT}/:attachment_id`,
    operationId: 'issueGetIssueCommentAttachment',
    summary: 'Get a comment attachment',
    params: CommentFilePath,
    answers: { 200: Attachment },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(await showOne(ctx, opened, commentAt(params), params.attachment_id)),
  }),
  route({
    method: 'PATCH',
    path: `${OF_COMMENT}/:attachment_id`,
    operationId: 'issueEditIssueCommentAttachment',
    summary: 'Update a comment attachment',
    params: CommentFilePath,
    body: EditAttachment,
    answers: { 201: Attachment },
    open: (visit) => openToAttach(visit, commentAt(visit.params)),
    handle: async ({ ctx, params, body, opened }) => {
      const renamed = await renameFile(ctx, opened, commentAt(params), params.attachment_id, body.name)
      return created(presentAttachment(renamed, ctx.site))
    },
  }),
  route({
    method: 'DELETE',
    path: `${OF_COMMENT}/:attachment_id`,
    operationId: 'issueDeleteIssueCommentAttachment',
    summary: 'Delete a comment attachment',
    params: CommentFilePath,
    answers: { 204: null },
    open: (visit) => openToAttach(visit, commentAt(visit.params)),
    handle: async ({ ctx, params, opened }) => {
      await removeFile(ctx, opened, commentAt(params), params.attachment_id)
      return noContent()
    },
  }),
]

export const attachmentRoutes: readonly Route[] = [...issueRoutes, ...commentRoutes]

interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}

/** Checked before the upload is read, so that a caller who may not attach need not send it. */
async function openToAttach(visit: Visit, place: Place): Promise<Caller> {
  const caller = await openUnarchived(visit)
  await assertMayAttach(visit.ctx, caller, place)
  return caller
}

async function showAll(ctx: Context, tracker: Tracker, place: Place): Promise<Attachment[]> {
  const { owner } = await openTarget(ctx, tracker, place)
  const attachments = await listAttachments(ctx.db, owner.kind, [owner.id])
  return (attachments.get(owner.id) ?? []).map((row) => presentAttachment(row, ctx.site))
}

async function showOne(ctx: Context, tracker: Tracker, place: Place, id: number): Promise<Attachment> {
  const { owner } = await openTarget(ctx, tracker, place)
  return presentAttachment(await getAttachment(ctx, owner, id), ctx.site)
}

async function add(
  ctx: Context,
  caller: Caller,
  place: Place,
  upload: Upload | null,
  name = '',
): Promise<Attachment> {
  return presentAttachment(await attachFile(ctx, caller, place, upload, name), ctx.site)
}
