/** Reactions to issues and comments over REST. */
import { type Static, Type } from 'typebox'
import { inRepository, openTracker } from '#domains/code/repositories'
import { findAccountsById, User } from '#domains/people/users'
import type { Context } from '#platform/context'
import { takePage } from '#platform/db'
import { notFound } from '#platform/problem'
import {
  type Answer,
  created,
  listed,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
  Time,
  time,
} from '#platform/rest'
import { mayRead, openAsSignedIn, openIssue } from '../records/open-issue.ts'
import { presentAuthor } from '../records/people.ts'
import { IssuePath } from '../records/schemas.ts'
import type { ReactionRow } from '../tables.ts'
import { findEntry } from '../timeline/store.ts'
import { react, unreact } from './react.ts'
import { REACTIONS_MAX, selectReactions } from './store.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const OF_ISSUE = '/repos/:owner/:repo/issues/:index/reactions'
const OF_COMMENT = '/repos/:owner/:repo/issues/comments/:id/reactions'
const CommentPath = inRepository({ id: Type.Integer() })
const EditReaction = Type.Object(
  {
    content: Type.String({
      maxLength: 50,
      description: '+1, -1, laugh, hooray, confused, heart, rocket or eyes',
    }),
  },
  { title: 'EditReactionOption' },
)
type Reaction = Static<typeof Reaction>
const Reaction = Type.Object({ user: User, content: Type.String(), created_at: Time }, { title: 'Reaction' })

const issueRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: OF_ISSUE,
    operationId: 'issueGetIssueReactions',
    summary: 'List the reactions to an issue',
    params: IssuePath,
    query: PageQuery,
    answers: { 200: Type.Array(Reaction) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const { id } = await openIssue(ctx, opened, params.index)
      const reactions = selectReactions(ctx.db, { issue_id: id, comment_id: null })
      const { items, total } = await takePage(reactions, pageOf(ctx, query))
      return listed(visit, await show(ctx, items), total, { links: false })
    },
  }),
  route({
    method: 'POST',
    path: OF_ISSUE,
    operationId: 'issuePostIssueReaction',
    summary: 'Add a reaction to an issue',
    params: IssuePath,
    body: EditReaction,
    answers: { 200: Reaction, 201: Reaction },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) =>
      answer(ctx, await react(ctx, opened, { number: params.index }, body.content)),
  }),
  route({
    method: 'DELETE',
    path: OF_ISSUE,
    operationId: 'issueDeleteIssueReaction',
    summary: 'Remove a reaction from an issue',
    params: IssuePath,
    body: EditReaction,
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      await unreact(ctx, opened, { number: params.index }, body.content)
      return noContent()
    },
  }),
]

const commentRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: OF_COMMENT,
    operationId: 'issueGetCommentReactions',
    summary: 'List the reactions to a comment',
    params: CommentPath,
    answers: { 200: Type.Array(Reaction) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      const entry = await findEntry(ctx, opened.id, params.id)
      if (entry === undefined || !mayRead(opened, entry.is_pull)) throw notFound('comment', params.id)
      const target = { issue_id: entry.issue_id, comment_id: entry.id }
      return ok(await show(ctx, await selectReactions(ctx.db, target).limit(REACTIONS_MAX).execute()))
    },
  }),
  route({
    method: 'POST',
    path: OF_COMMENT,
    operationId: 'issuePostCommentReaction',
    summary: 'Add a reaction to a comment',
    params: CommentPath,
    body: EditReaction,
    answers: { 200: Reaction, 201: Reaction },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) =>
      answer(ctx, await react(ctx, opened, { commentId: params.id }, body.content)),
  }),
  route({
    method: 'DELETE',
    path: OF_COMMENT,
    operationId: 'issueDeleteCommentReaction',
    summary: 'Remove a reaction from a comment',
    params: CommentPath,
    body: EditReaction,
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      await unreact(ctx, opened, { commentId: params.id }, body.content)
      return noContent()
    },
  }),
]

export const reactionRoutes: readonly Route[] = [...issueRoutes, ...commentRoutes]

async function answer(
  ctx: Context,
  { reaction, isNew }: Awaited<ReturnType<typeof react>>,
): Promise<Answer<200, Reaction> | Answer<201, Reaction>> {
  const [shown] = await show(ctx, [reaction])
  return isNew ? created(shown as Reaction) : ok(shown as Reaction)
}

async function show(ctx: Context, reactions: readonly ReactionRow[]): Promise<Reaction[]> {
  const ids = reactions.map(({ user_id }) => user_id)
  const people = await findAccountsById(ctx.db, ids)
  return reactions.map(({ user_id, content, created_at }) => ({
    user: presentAuthor(people.get(user_id), ctx.actor, ctx.site, created_at),
    content,
    created_at: time(created_at),
  }))
}
