/** Notifications over REST. */
import { type Static, Type } from 'typebox'
import { openToSee, RepositoryPath } from '#domains/code/repositories'
import { takePage } from '#platform/db'
import { invalid, Problem } from '#platform/problem'
import {
  asSignedIn,
  instantOf,
  listed,
  ok,
  pageFields,
  pageOf,
  type Route,
  routesOf,
  type SignedIn,
} from '#platform/rest'
import { mark, markAll, openThread, statusOf } from './mark-threads.ts'
import { showThreads } from './show-threads.ts'
import { countUnread, SUBJECT_KINDS, selectThreads, type ThreadFilter } from './store.ts'
import { STATUSES, type Status } from './tables.ts'
import { NotificationCount, NotificationThread } from './wire.ts'

const route = routesOf({ tag: 'notification', scopes: ['notification'], refusesPublicOnly: true })
const repositoryRoute = routesOf({ tag: 'notification', scopes: ['notification'] })
const BASE = '/notifications'
const OF_REPOSITORY = '/repos/:owner/:repo/notifications'
const ThreadPath = Type.Object({ id: Type.Integer() })
const texts = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50, description }))
const text = (description: string) => Type.Optional(Type.String({ description }))

const ListQuery = Type.Object({
  ...pageFields,
  all: Type.Optional(Type.Boolean({ description: 'also those that are read' })),
  'status-types': texts('unread, read or pinned; unread and pinned by default'),
  'subject-type': texts('issue, pull, commit or repository; all by default'),
  since: text('only notifications updated after this time (RFC 3339)'),
  before: text('only notifications updated before this time (RFC 3339)'),
})
const MarkQuery = Type.Object({
  last_read_at: text('only notifications updated until this time (RFC 3339)'),
  all: Type.Optional(Type.Boolean({ description: 'whatever their status is' })),
  'status-types': texts('unread, read or pinned; unread by default'),
  'to-status': text('unread, read or pinned; read by default'),
})

/** A list may also be comma-separated. */
function wordsIn(asked: readonly string[]): string[] {
  return asked.flatMap((text) => text.split(',')).map((word) => word.trim().toLowerCase())
}

/** Compat: if all values are unknown, the filter is ignored. */
function knownOf<T extends string>(known: readonly T[], asked: readonly string[]): T[] {
  const words = wordsIn(asked)
  return known.filter((it) => words.includes(it))
}

function statusesOf(
  query: { readonly all?: boolean; readonly 'status-types'?: string[] },
  usual: readonly Status[],
): readonly Status[] {
  const asked = query['status-types'] ?? []
  if (query.all === true) return []
  return asked.length === 0 ? usual : knownOf(STATUSES, asked)
}

function wantedOf(
  query: Static<typeof ListQuery>,
  actor: SignedIn,
  repositoryId: number | null,
): ThreadFilter {
  return {
    userId: actor.id,
    repositoryId,
    statuses: statusesOf(query, ['unread', 'pinned']),
    subjects: knownOf(SUBJECT_KINDS, query['subject-type'] ?? []),
    since: instantOf('since', query.since),
    before: instantOf('before', query.before),
  }
}

function markedOf(
  query: Static<typeof MarkQuery>,
  actor: SignedIn,
  repositoryId: number | null,
): ThreadFilter {
  assertStatuses('status-types', query['status-types'] ?? [])
  return {
    userId: actor.id,
    repositoryId,
    statuses: statusesOf(query, ['unread']),
    subjects: [],
    since: null,
    before: lastReadOf(query.last_read_at),
  }
}

/** D43: a misspelled status must not mark every thread. */
function assertStatuses(field: string, words: readonly string[]): void {
  for (const word of wordsIn(words))
    if (!STATUSES.some((status) => status === word)) throw invalid(`${field}: ${word} is no status`)
}

function markTo(query: Static<typeof MarkQuery>): Status {
  const { 'to-status': word = '' } = query
  if (word !== '') assertStatuses('to-status', [word])
  return statusOf(word)
}

/** Compat: an invalid time here is 400, where others are 422. */
function lastReadOf(time: string | undefined): Date | null {
  try {
    return instantOf('last_read_at', time)
  } catch (error) {
    throw error instanceof Problem ? new Problem('malformed', error.message) : error
  }
}

const own: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'notifyGetList',
    summary: "List the authenticated user's notification threads",
    query: ListQuery,
    answers: { 200: Type.Array(NotificationThread) },
    open: asSignedIn,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const threads = selectThreads(ctx.db, wantedOf(query, opened, null))
      const { items, total } = await takePage(threads, pageOf(ctx, query))
      return listed(visit, await showThreads(ctx, items), total)
    },
  }),
  route({
    method: 'PUT',
    path: BASE,
    operationId: 'notifyReadList',
    summary: 'Mark notification threads as read, pinned or unread',
    query: MarkQuery,
    answers: { 200: Type.Array(NotificationThread) },
    open: asSignedIn,
    handle: async ({ ctx, query, opened }) => {
      const marked = await markAll(ctx, markedOf(query, opened, null), markTo(query))
      return ok(await showThreads(ctx, marked))
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/new`,
    operationId: 'notifyNewAvailable',
    summary: 'Check for unread notification threads',
    answers: { 200: NotificationCount },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => ok({ new: await countUnread(ctx.db, opened.id) }),
  }),
  route({
    method: 'GET',
    path: `${BASE}/threads/:id`,
    operationId: 'notifyGetThread',
    summary: 'Get a notification thread',
    params: ThreadPath,
    answers: { 200: NotificationThread },
    open: (visit) => openThread(visit.ctx, visit.params.id, asSignedIn(visit)),
    handle: async ({ ctx, opened }) => ok((await showThreads(ctx, [opened]))[0] as NotificationThread),
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/threads/:id`,
    operationId: 'notifyReadThread',
    summary: 'Mark a notification thread as read, pinned or unread',
    params: ThreadPath,
    query: Type.Object({ 'to-status': text('unread, read or pinned; read by default') }),
    answers: { 200: NotificationThread },
    open: async (visit) => {
      const actor = asSignedIn(visit)
      return { actor, thread: await openThread(visit.ctx, visit.params.id, actor) }
    },
    handle: async ({ ctx, query, opened: { actor, thread } }) => {
      const marked = await mark(ctx, thread, actor, statusOf(query['to-status']))
      return ok((await showThreads(ctx, [marked]))[0] as NotificationThread)
    },
  }),
]

const ofRepository: readonly Route[] = [
  repositoryRoute({
    method: 'GET',
    path: OF_REPOSITORY,
    operationId: 'notifyGetRepoList',
    summary: "List the authenticated user's notification threads of a repository",
    params: RepositoryPath,
    query: ListQuery,
    answers: { 200: Type.Array(NotificationThread) },
    open: async (visit) => ({ repo: await openToSee(visit.ctx, visit.params), actor: asSignedIn(visit) }),
    handle: async (visit) => {
      const {
        ctx,
        query,
        opened: { repo, actor },
      } = visit
      const threads = selectThreads(ctx.db, wantedOf(query, actor, repo.id))
      const { items, total } = await takePage(threads, pageOf(ctx, query))
      return listed(visit, await showThreads(ctx, items), total)
    },
  }),
  repositoryRoute({
    method: 'PUT',
    path: OF_REPOSITORY,
    operationId: 'notifyReadRepoList',
    summary: 'Mark notification threads of a repository as read, pinned or unread',
    params: RepositoryPath,
    query: MarkQuery,
    answers: { 200: Type.Array(NotificationThread) },
    open: async (visit) => ({ repo: await openToSee(visit.ctx, visit.params), actor: asSignedIn(visit) }),
    handle: async ({ ctx, query, opened: { repo, actor } }) => {
      const marked = await markAll(ctx, markedOf(query, actor, repo.id), markTo(query))
      return ok(await showThreads(ctx, marked))
    },
  }),
]

export const notificationRoutes: readonly Route[] = [...own, ...ofRepository]
