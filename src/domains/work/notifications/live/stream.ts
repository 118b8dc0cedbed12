/**
 * The content of one stream: the user's unread count, and hints that a topic changed. Access is checked again before
 * each hint, and credentials at regular intervals.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#platform/context'
import { databaseAway } from '#platform/db'
import { Problem } from '#platform/problem'
import { countUnread } from '../store.ts'
import type { Listener } from './listener.ts'

/** Changes within this time are sent together. */
const MOMENT_MS = 100

/** How a route formats its events. */
export interface Voice {
  readonly count: (count: number) => string
  readonly changed: (topic: string) => string
}

export async function* streamChanges(ctx: Context, listener: Listener, voice: Voice): AsyncGenerator<string> {
  try {
    yield* changes(ctx, listener, voice)
  } catch (error) {
    // The client reconnects and gets the current state.
    const isTheirs = error instanceof Problem || databaseAway(error) !== undefined
    if (!isTheirs && !ctx.signal.aborted) ctx.log.error({ err: error }, 'live updates failed')
  }
}

async function* changes(ctx: Context, listener: Listener, voice: Voice): AsyncGenerator<string> {
  let askedAt = performance.now()
  yield ': live\n\n'
  yield* tellCount(ctx, listener, voice, false)
  await readVersions(ctx, listener, listener.topics)
  while (!ctx.signal.aborted) {
    await listener.wait(ctx.config['live.heartbeat_ms'], ctx.signal)
    await sleep(MOMENT_MS)
    if (ctx.signal.aborted) return
    // Before `take`, so that a change seen meanwhile is part of this round and not of the next.
    await readVersions(ctx, listener, listener.woken)
    const taken = listener.take()
    const changed = listener.topics.filter((topic) => taken.has(topic))
    if (changed.length > 0 || performance.now() - askedAt >= ctx.config['live.recheck_ms']) {
      await ctx.reopen?.(ctx)
      askedAt = performance.now()
    }
    if (taken.size === 0) yield ': alive\n\n'
    if (taken.has('count')) yield* tellCount(ctx, listener, voice, true)
    for (const topic of changed) yield voice.changed(topic)
  }
}

async function* tellCount(
  ctx: Context,
  listener: Listener,
  voice: Voice,
  onlyIfOther: boolean,
): AsyncGenerator<string> {
  const count = await countUnread(ctx.db, listener.userId)
  if (onlyIfOther && !listener.hasOtherCount(count)) return
  listener.toldCount(count)
  yield voice.count(count)
}

/** Read before the hint is sent: a later change is a new one. */
async function readVersions(ctx: Context, listener: Listener, topics: readonly string[]): Promise<void> {
  if (topics.length === 0) return
  const versions = await ctx.live.versionsOf(topics)
  for (const topic of topics) listener.toldVersion(topic, versions.get(topic) ?? 0)
}
