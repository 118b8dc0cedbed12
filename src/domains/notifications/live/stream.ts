/**
 * The text of one stream: how much its owner has not read, and hints that the issue they look at changed. Before a hint it
 * is asked again whether they may know of it, and every now and then whether their credentials are still worth something.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#platform/context'
import { databaseAway } from '#platform/db'
import { Problem } from '#platform/problem'
import { countUnread, findChangeTimes } from '../store.ts'
import type { Listener } from './listener.ts'

/** What happens in a moment is told at once. */
const MOMENT_MS = 100

export async function* streamChanges(ctx: Context, listener: Listener): AsyncGenerator<string> {
  try {
    yield* changes(ctx, listener)
  } catch (error) {
    // The client comes back, and is told then.
    const isTheirs = error instanceof Problem || databaseAway(error) !== undefined
    if (!isTheirs && !ctx.signal.aborted) ctx.log.error({ err: error }, 'live updates failed')
  }
}

async function* changes(ctx: Context, listener: Listener): AsyncGenerator<string> {
  let askedAt = performance.now()
  yield ': live\n\n'
  yield* tellCount(ctx, listener, false)
  await readTime(ctx, listener)
  while (!ctx.signal.aborted) {
    await listener.wait(ctx.config['live.heartbeat_ms'], ctx.signal)
    await sleep(MOMENT_MS)
    if (ctx.signal.aborted) return
    // First, so that a change that is seen meanwhile is told with this one and not after it.
    if (listener.isWokenBy('issue')) await readTime(ctx, listener)
    const taken = listener.take()
    if (taken.has('issue') || performance.now() - askedAt >= ctx.config['live.recheck_ms']) {
      await ctx.reopen?.(ctx)
      askedAt = performance.now()
    }
    if (taken.size === 0) yield ': alive\n\n'
    if (taken.has('count')) yield* tellCount(ctx, listener, true)
    if (taken.has('issue')) yield eventOf('issue-changed', { id: listener.issueId })
  }
}

async function* tellCount(ctx: Context, listener: Listener, onlyIfOther: boolean): AsyncGenerator<string> {
  const count = await countUnread(ctx.db, listener.userId)
  if (onlyIfOther && !listener.hasOtherCount(count)) return
  listener.toldCount(count)
  // Compat: spelled like this.
  yield eventOf('notification-count', { UserID: listener.userId, Count: count })
}

/** Before the hint: a change after it is another one. */
async function readTime(ctx: Context, listener: Listener): Promise<void> {
  const { issueId } = listener
  if (issueId === null) return
  const times = await findChangeTimes(ctx.db, [issueId])
  listener.toldTime(times.get(issueId) ?? 0)
}

function eventOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
