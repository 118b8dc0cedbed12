/** Stopwatches over REST. */
import { Type } from 'typebox'
import {
  type Answer,
  asSignedIn,
  listed,
  noContent,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { showReadable } from '../records/across.ts'
import { openAsSignedIn } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { cancelStopwatch, secondsOf, startStopwatch, stopStopwatch } from './run-stopwatch.ts'
import { findStopwatch } from './stopwatch-store.ts'
import { presentStopwatch, StopWatch } from './wire.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const userRoute = routesOf({ tag: 'user', scopes: ['user'] })
const BASE = '/repos/:owner/:repo/issues/:index/stopwatch'
const DONE: Answer<201, undefined> = { status: 201, body: undefined }

export const stopwatchRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: `${BASE}/start`,
    operationId: 'issueStartStopWatch',
    summary: 'Start a stopwatch on an issue',
    params: IssuePath,
    answers: { 201: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await startStopwatch(ctx, opened, params.index)
      return DONE
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/stop`,
    operationId: 'issueStopStopWatch',
    summary: 'Stop a stopwatch on an issue and add its time',
    params: IssuePath,
    answers: { 201: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await stopStopwatch(ctx, opened, params.index)
      return DONE
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/delete`,
    operationId: 'issueDeleteStopWatch',
    summary: 'Delete a stopwatch on an issue without adding its time',
    params: IssuePath,
    answers: { 204: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await cancelStopwatch(ctx, opened, params.index)
      return noContent()
    },
  }),
  userRoute({
    method: 'GET',
    path: '/user/stopwatches',
    operationId: 'userGetStopWatches',
    summary: "List the authenticated user's running stopwatches",
    query: PageQuery,
    answers: { 200: Type.Array(StopWatch) },
    open: asSignedIn,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const running = await findStopwatch(ctx.db, opened.id)
      const issue = running && (await showReadable(ctx, [running.issue_id])).get(running.issue_id)
      const shown = running && issue ? [presentStopwatch(running, secondsOf(ctx, running), issue)] : []
      const { offset } = pageOf(ctx, query)
      return listed(visit, shown.slice(offset), shown.length, { links: false })
    },
  }),
]
