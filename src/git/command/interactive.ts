/** Runs git's own protocol dialogue with a client over a persistent connection. */

import type { Readable, Writable } from 'node:stream'
import type { Context } from '#platform/context'
import type { StorageId } from '../tables.ts'
import type { GitCommand } from './command.ts'
import { startProcess } from './process.ts'

export interface Streams {
  readonly input: Readable
  readonly output: Writable
}

/** Git's exit code for fatal errors; also returned when git was killed. */
export const FATAL = 128

interface Dialogue extends Streams {
  readonly timeoutMs: number
  readonly environment?: Readonly<Record<string, string>>
  /** Called when git has exited, with the size of its output. */
  readonly onEnd?: (bytes: number) => void
}

/** Holds the lease until git exits. Resolves with git's exit code. */
export async function runInteractiveGit(
  ctx: Context,
  storageId: StorageId,
  command: GitCommand,
  options: Dialogue,
): Promise<number> {
  await using lease = await ctx.cache.lease(ctx, storageId)
  const git = startProcess(ctx, { ...command, repository: lease.path }, options)
  options.input.pipe(git.input)
  const code = (await git.ended) ?? FATAL
  options.onEnd?.(git.outputBytes())
  if (code !== 0)
    ctx.log.info({ 'git.storage': storageId, 'git.code': code, 'git.said': git.said() }, 'git exited early')
  return code
}
