/**
 * Runs git on a repository: leases it, and repairs the cache when its files are damaged. The cache may be damaged or
 * deleted at any time, by anyone; the caller must not notice.
 */
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Suspicion } from '../cache/healer.ts'
import { GitFailure } from '../command/run.ts'
import type { Storage, StorageId } from '../tables.ts'

/**
 * Paths are literal, never patterns; and a ref that a user pushed below `refs/replace/` must not change what others see
 * from what was signed and reviewed.
 */
export const SAFE_ENV = { GIT_LITERAL_PATHSPECS: '1', GIT_NO_REPLACE_OBJECTS: '1' } as const

/** Messages of git about damaged files. */
const ROT =
  /corrupt|inflate|checksum|bad offset|cannot be accessed|too small|not a git repository|unable to read|premature end|cannot be started/i

/** Messages of git about objects that the repository does not have. */
const MISSING = /bad object|not a valid|not a tree|not a commit|not something we can merge|could not parse/i

/** Gives up when files of the cache are deleted again and again. */
const TRIES = 3

/** Messages of git about the memory limit. */
const MEMORY = /out of memory|attempting to allocate|cannot allocate memory/i

/** `undefined` from `question` means "not found", and is accepted only when all files are present. */
export function withRepository<T>(
  ctx: Context,
  storageId: StorageId,
  question: (path: string, storage: Storage) => Promise<T>,
): Promise<T> {
  return retryAfterHeal(ctx, storageId, async () => {
    await using lease = await ctx.cache.lease(ctx, storageId)
    ctx.signal.throwIfAborted()
    return await question(lease.path, lease.storage)
  })
}

/** Retries when the cache may have been damaged. `attempt` must be repeatable. */
export async function retryAfterHeal<T>(
  ctx: Context,
  storageId: StorageId,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    ctx.signal.throwIfAborted()
    const { damaged } = ctx.cache.counts
    try {
      const answer = await attempt()
      if (answer !== undefined || !(await wasDamaged(ctx, storageId, damaged))) return answer
    } catch (error) {
      if (tries === TRIES - 1 || !(await isCured(ctx, storageId, error))) throw explain(ctx, error)
    }
  }
  throw new Problem('unavailable', 'repository cache is being rebuilt, please try again')
}

/** Whether a retry may succeed: the cache was damaged, and is rebuilt. */
async function isCured(ctx: Context, storageId: StorageId, error: unknown): Promise<boolean> {
  const suspicion = suspicionOf(ctx, error)
  if (suspicion === undefined) return false
  // A concurrent request may have repaired it.
  return (await ctx.cache.heal(ctx, storageId, suspicion)) || looksDamaged(error)
}

/** Whether files may have been missing when git ran: they are now, or were and have been restored meanwhile. */
async function wasDamaged(ctx: Context, storageId: StorageId, before: number): Promise<boolean> {
  return (await ctx.cache.heal(ctx, storageId, 'gone')) || ctx.cache.counts.damaged > before
}

/**
 * Which damage of the cache a failure suggests; undefined when the cache is not the cause. Messages of git prove nothing.
 */
export function suspicionOf(ctx: Context, error: unknown): Suspicion | undefined {
  if (ctx.signal.aborted) return undefined
  if (error instanceof GitFailure && error.code !== null) return looksDamaged(error) ? 'rotten' : 'gone'
  return looksDamaged(error) ? 'gone' : undefined
}

function looksDamaged(error: unknown): boolean {
  if (error instanceof GitFailure) return error.code !== null && ROT.test(error.said)
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Translates a failure of git into a Problem; other errors are returned unchanged. */
export function explain(ctx: Context, error: unknown): unknown {
  if (ctx.signal.aborted) return ctx.signal.reason
  if (!(error instanceof GitFailure)) return error
  if (error.code === null) return new Problem('unavailable', 'git command timed out')
  if (MEMORY.test(error.said)) return new Problem('too_large', 'git ran out of memory')
  return MISSING.test(error.said) ? new Problem('not_found', 'git object does not exist') : error
}

/** Git cannot answer, and a retry would not help: the result is too large, or git itself fails. */
export function isBeyondGit(error: unknown): boolean {
  if (error instanceof Problem) return error.kind === 'too_large'
  return error instanceof GitFailure && error.code !== null
}

/** Permanently unreadable: the object is gone, or git cannot answer. */
export function isUnreadable(error: unknown): boolean {
  return isBeyondGit(error) || (error instanceof Problem && error.kind === 'not_found')
}
