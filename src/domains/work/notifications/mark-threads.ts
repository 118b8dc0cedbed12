/** Marks threads as read, unread or pinned. */
import { type Context, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { hintPeople } from './live/hints.ts'
import { findThread, findThreads, markThread, markThreads, readIssue, type ThreadFilter } from './store.ts'
import { STATUSES, type Status, type ThreadRow } from './tables.ts'

/** Threads shown in the response; the marked ones may be all of a user's threads. */
const SHOWN_MAX = 1_000

declare const own: unique symbol
/** Proof that a thread is the caller's, or that the caller is a site administrator. */
export interface SeenThread extends ThreadRow {
  readonly [own]: true
}

export async function openThread(ctx: Context, id: number, actor: SignedIn): Promise<SeenThread> {
  const thread = await findThread(ctx.db, id)
  if (thread === undefined) throw notFound('notification', id)
  if (thread.user_id !== actor.id && !actor.isAdmin)
    throw forbidden(`only user itself and admin are allowed to read/change this thread ${id}`)
  return thread as SeenThread
}

/** D13: a site administrator may read a thread of another user, but not change it. */
export async function mark(
  ctx: Context,
  thread: SeenThread,
  actor: SignedIn,
  status: Status,
): Promise<ThreadRow> {
  if (thread.user_id !== actor.id) throw forbidden('only the user may change this thread')
  const marked = await transact(ctx, (ctx) => {
    hintPeople(ctx, [actor.id])
    return markThread(ctx.db, thread.id, { status, updated_at: ctx.now() })
  })
  if (marked === undefined) throw notFound('notification', thread.id)
  return marked
}

export async function markAll(ctx: Context, filter: ThreadFilter, status: Status): Promise<ThreadRow[]> {
  const ids = await transact(ctx, (ctx) => {
    hintPeople(ctx, [filter.userId])
    return markThreads(ctx.db, filter, { status, updated_at: ctx.now() })
  })
  return findThreads(ctx.db, ids, SHOWN_MAX)
}

/** The caller's thread of an issue, unless something has happened since the caller saw the issue. */
export async function markIssueRead(
  ctx: Context,
  actor: SignedIn,
  issueId: number,
  seenAt: Date,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (await readIssue(ctx.db, actor.id, issueId, seenAt)) hintPeople(ctx, [actor.id])
  })
}

/** Compat: any other value means read. */
export function statusOf(text = ''): Status {
  return STATUSES.find((status) => status === text.trim().toLowerCase()) ?? 'read'
}
