/** The merge queue over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { findAccountsById } from '#domains/people/users'
import { openPulls, openPullsUnarchived, PullPath } from '#domains/review/pulls'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { created, listed, noContent, pageOf, type Route, routesOf } from '#platform/rest'
import { enterQueue } from './enter.ts'
import { leaveQueue } from './leave.ts'
import { MergeQueueEntry, presentEntry, QueuePull, QueueQuery, queueOptionsOf } from './schemas.ts'
import { listShown, type ShownEntry } from './store.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo'

export const queueRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${BASE}/merge_queue`,
    operationId: 'repoListMergeQueue',
    summary: "List a repository's merge queue",
    params: RepositoryPath,
    query: QueueQuery,
    answers: { 200: Type.Array(MergeQueueEntry) },
    open: openPulls,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const of = { repositoryId: opened.id, ...(query.branch ? { branch: query.branch } : {}) }
      const { items, total } = await listShown(ctx.db, of, pageOf(ctx, query))
      return listed(visit, await show(ctx, items), total)
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/pulls/:index/queue`,
    operationId: 'repoQueuePullRequest',
    summary: 'Add a pull request to the merge queue',
    alsoRefuses: ['method_not_allowed', 'precondition'],
    params: PullPath,
    body: QueuePull,
    answers: { 201: MergeQueueEntry },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const entered = await enterQueue(ctx, opened, params.index, queueOptionsOf(body))
      const [shown] = await show(ctx, [entered])
      return created(must(shown, 'one is shown'))
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/pulls/:index/queue`,
    operationId: 'repoUnqueuePullRequest',
    summary: 'Remove a pull request from the merge queue',
    params: PullPath,
    answers: { 204: null },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, opened }) => {
      await leaveQueue(ctx, opened, params.index)
      return noContent()
    },
  }),
]

async function show(ctx: Context, rows: readonly ShownEntry[]): Promise<MergeQueueEntry[]> {
  const accounts = await findAccountsById(
    ctx.db,
    rows.map(({ actor_id }) => actor_id),
  )
  return rows.map((row) => presentEntry(row, { accounts, site: ctx.site }))
}
