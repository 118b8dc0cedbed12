/**
 * Asks git about a repository: leases it, and heals the cache once when its files turn out not to be what they were.
 * The cache may be damaged or deleted at any time, by anyone; whoever asks must not notice.
 */
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Suspicion } from '../cache/healer.ts'
import { GitFailure } from '../command/run.ts'
import type { Storage, StorageId } from '../tables.ts'

/**
 * Paths are names, never patterns; and a ref that a user pushed below `refs/replace/` must not show others another
 * content than the one that was signed and reviewed.
 */
export const SAFE_ENV = { GIT_LITERAL_PATHSPECS: '1', GIT_NO_REPLACE_OBJECTS: '1' } as const

/** What git says when a file of the cache is not readable as what it should be. */
const ROT =
  /corrupt|inflate|checksum|bad offset|cannot be accessed|too small|not a git repository|unable to read|premature end|cannot be started/i

/** What git says when it is asked for an object that the repository does not have. */
const MISSING = /bad object|not a valid|not a tree|not a commit|not something we can merge|could not parse/i

/** Whoever deletes files of the cache again and again is not outrun for ever. */
const TRIES = 3

/** What git says when it needs more than its bound. */
const MEMORY = /out of memory|attempting to allocate|cannot allocate memory/i

/** undefined from a question means «there is no such thing», and is believed only when the files are all there. */
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

/** Tries again when the cache may have been damaged. `attempt` must do nothing that cannot be done twice. */
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

/** Whether what failed may succeed now: the cache was to blame, and is made again. */
async function isCured(ctx: Context, storageId: StorageId, error: unknown): Promise<boolean> {
  const suspicion = suspicionOf(ctx, error)
  if (suspicion === undefined) return false
  // Somebody else may have healed it meanwhile.
  return (await ctx.cache.heal(ctx, storageId, suspicion)) || looksDamaged(error)
}

/** Whether files may have been missing when git was asked: they are now, or some were and somebody brought them back. */
async function wasDamaged(ctx: Context, storageId: StorageId, before: number): Promise<boolean> {
  return (await ctx.cache.heal(ctx, storageId, 'gone')) || ctx.cache.counts.damaged > before
}

/** What a failure lets us suspect of the cache; undefined when it is not to blame. What git says proves nothing. */
export function suspicionOf(ctx: Context, error: unknown): Suspicion | undefined {
  if (ctx.signal.aborted) return undefined
  if (error instanceof GitFailure && error.code !== null) return looksDamaged(error) ? 'rotten' : 'gone'
  return looksDamaged(error) ? 'gone' : undefined
}

function looksDamaged(error: unknown): boolean {
  if (error instanceof GitFailure) return error.code !== null && ROT.test(error.said)
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** A failure of git in words a caller may know; others stay what they are. */
export function explain(ctx: Context, error: unknown): unknown {
  if (ctx.signal.aborted) return ctx.signal.reason
  if (!(error instanceof GitFailure)) return error
  if (error.code === null) return new Problem('unavailable', 'git command timed out')
  if (MEMORY.test(error.said)) return new Problem('too_large', 'git ran out of memory')
  return MISSING.test(error.said) ? new Problem('not_found', 'git object does not exist') : error
}

/** Git cannot or will not say, and asking again changes nothing: there is too much of it, or it is beyond git's means. */
export function isBeyondGit(error: unknown): boolean {
  if (error instanceof Problem) return error.kind === 'too_large'
  return error instanceof GitFailure && error.code !== null
}

/** There is nothing to read, today or tomorrow: it is gone, or it is beyond git. */
export function isUnreadable(error: unknown): boolean {
  return isBeyondGit(error) || (error instanceof Problem && error.kind === 'not_found')
}
