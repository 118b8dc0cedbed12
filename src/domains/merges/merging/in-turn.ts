/**
 * Those who merge into one branch on one node come one after the other: who would build upon a base that another is about
 * to move waits instead. Nothing depends on it; whoever waits too long goes ahead, and the base says who was first.
 */
import type { Context } from '#platform/context'

/** By node, the last in each line. */
const lines = new WeakMap<object, Map<string, Promise<void>>>()
const WAIT_MS = 20_000

export async function inTurn<T>(ctx: Context, line: string, work: () => Promise<T>): Promise<T> {
  const last = lines.get(ctx.turns) ?? new Map<string, Promise<void>>()
  lines.set(ctx.turns, last)
  const before = last.get(line)
  const { promise: own, resolve: leave } = Promise.withResolvers<void>()
  last.set(line, own)
  try {
    await atMost(before)
    return await work()
  } finally {
    leave()
    if (last.get(line) === own) last.delete(line)
  }
}

async function atMost(before: Promise<void> | undefined): Promise<void> {
  if (before === undefined) return
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WAIT_MS)
  await Promise.race([before, late])
  clearTimeout(timer)
}
