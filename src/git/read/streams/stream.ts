/** Streams output of git, bounded in bytes and time. The repository is leased until the end. */

import { pipeline, type Readable, Transform } from 'node:stream'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { GitCommand } from '../../command/command.ts'
import { startGit } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { explain, SAFE_ENV, suspicionOf } from '../with-repository.ts'

export interface StreamLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
}

/** A folder that git may read until it is disposed of. */
export interface OpenRepository extends AsyncDisposable {
  readonly path: string
}

export interface Saying {
  readonly command: GitCommand
  readonly input?: string
  /** Text before git's own output. */
  readonly opening?: string
  /** Opens a repository other than the cached one, with the same objects. */
  readonly open?: (ctx: Context, storageId: StorageId) => Promise<OpenRepository>
}

/**
 * The caller must read the stream to its end or destroy it. The stream ends only when git succeeded; when git fails or
 * exceeds the size limit the stream fails, so that a partial answer is never taken for a complete one.
 */
export async function streamGit(
  ctx: Context,
  storageId: StorageId,
  { command, input = '', opening = '', open }: Saying,
  limits: StreamLimits,
): Promise<Readable> {
  ctx.signal.throwIfAborted()
  const opened: OpenRepository = await (open?.(ctx, storageId) ?? ctx.cache.lease(ctx, storageId))
  const { path } = opened
  const running = startGit(ctx, command, { path, input, environment: SAFE_ENV, timeoutMs: limits.timeoutMs })
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > limits.bytesMax) done(new Problem('too_large', 'git output is too large'))
      else done(null, chunk)
    },
    flush(done) {
      running.done.then(
        () => done(),
        (error: unknown) => void blame(ctx, storageId, error).then(done, done),
      )
    },
  })
  // A client that stops reading must not hold the repository for ever.
  const timer = setTimeout(
    () => stream.destroy(new Problem('unavailable', 'client stopped reading')),
    limits.timeoutMs,
  ).unref()
  stream.once('close', () => {
    clearTimeout(timer)
    running.kill()
    opened[Symbol.asyncDispose]().then(undefined, (error: unknown) =>
      ctx.log.warn({ err: error, 'git.storage': storageId }, 'failed to release repository'),
    )
  })
  if (opening !== '') stream.write(opening)
  pipeline(running.output, stream, () => undefined)
  return stream
}

/** Too late for this reader, but the next one finds repaired files. */
async function blame(ctx: Context, storageId: StorageId, error: unknown): Promise<Error> {
  const suspicion = suspicionOf(ctx, error)
  const isHealed = suspicion !== undefined && (await ctx.cache.heal(ctx, storageId, suspicion))
  const told = isHealed
    ? new Problem('unavailable', 'repository cache is being rebuilt, please try again')
    : explain(ctx, error)
  return told instanceof Error ? told : new Error('git was killed', { cause: told })
}
