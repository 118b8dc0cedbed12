/** Tracked times over REST. */
import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import {
  asSignedIn,
  listed,
  MISTAKES_ARE_MALFORMED,
  noContent,
  ok,
  type Route,
  routesOf,
} from '#platform/rest'
import { openAsSignedIn, openUnarchived } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { listOwnTimes, listTimesOfIssue, listTimesOfRepository, listTimesOfUser } from './list-times.ts'
import { AddTime, OwnTimesQuery, TimePath, TimesQuery } from './schemas.ts'
import { showTimes } from './show-times.ts'
import { addTime, deleteTime, resetTimes } from './track-time.ts'
import { TrackedTime } from './wire.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const repositoryRoute = routesOf({ tag: 'repository', scopes: ['repository'] })
const userRoute = routesOf({ tag: 'user', scopes: ['user'] })
const BASE = '/repos/:owner/:repo/issues/:index/times'

const writing: readonly Route[] = [
  route({
    method: 'POST',
    path: BASE,
    operationId: 'issueAddTime',
    summary: 'Add tracked time to an issue',
    problemsAs: MISTAKES_ARE_MALFORMED,
    params: IssuePath,
    body: AddTime,
    answers: { 200: TrackedTime },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const [shown] = await showTimes(ctx, [await addTime(ctx, opened, params.index, body)])
      return ok(shown as TrackedTime)
    },
  }),
  route({
    method: 'DELETE',
    path: BASE,
    operationId: 'issueResetTime',
    summary: "Delete all of the authenticated user's tracked times of an issue",
    params: IssuePath,
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await resetTimes(ctx, opened, params.index)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:id`,
    operationId: 'issueDeleteTime',
    summary: 'Delete a tracked time',
    params: TimePath,
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await deleteTime(ctx, opened, params.index, params.id)
      return noContent()
    },
  }),
]

const reading: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'issueTrackedTimes',
    summary: "List an issue's tracked times",
    params: IssuePath,
    query: TimesQuery,
    answers: { 200: Type.Array(TrackedTime) },
    open: openAsSignedIn,
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const { items, total } = await listTimesOfIssue(ctx, opened, params.index, query)
      return listed(visit, items, total, { links: false })
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/times',
    operationId: 'repoTrackedTimes',
    summary: "List a repository's tracked times",
    params: RepositoryPath,
    query: TimesQuery,
    answers: { 200: Type.Array(TrackedTime) },
    open: openAsSignedIn,
    handle: async (visit) => {
      const { items, total } = await listTimesOfRepository(visit.ctx, visit.opened, visit.query)
      return listed(visit, items, total, { links: false })
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/times/:user',
    operationId: 'userTrackedTimes',
    summary: "List a user's tracked times in a repository",
    deprecated: true,
    params: inRepository({ user: Type.String() }),
    answers: { 200: Type.Array(TrackedTime) },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      const { items } = await listTimesOfUser(ctx, opened, params.user)
      return ok(items)
    },
  }),
  userRoute({
    method: 'GET',
    path: '/user/times',
    operationId: 'userCurrentTrackedTimes',
    summary: "List the authenticated user's tracked times",
    query: OwnTimesQuery,
    answers: { 200: Type.Array(TrackedTime) },
    open: asSignedIn,
    handle: async (visit) => {
      const { items, total } = await listOwnTimes(visit.ctx, visit.opened, visit.query)
      return listed(visit, items, total, { links: false })
    },
  }),
]

export const timeRoutes: readonly Route[] = [...writing, ...reading]
