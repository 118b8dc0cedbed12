/** Git's own conversation with a client, over a connection that stays. */

import type { Readable, Writable } from 'node:stream'
import type { Context } from '#platform/context'
import type { StorageId } from '../tables.ts'
import type { GitCommand } from './command.ts'
import { startProcess } from './process.ts'

export interface Streams {
  readonly input: Readable
  readonly output: Writable
}

/** What git itself says when it cannot go on; for one that was killed we say it. */
export const FATAL = 128

/** On a repository that the cache keeps until it is over. Resolves with the exit code of git, for whoever asks. */
export async function runInteractiveGit(
  ctx: Context,
  storageId: StorageId,
  command: GitCommand,
  options: Streams & { readonly timeoutMs: number; readonly environment?: Readonly<Record<string, string>> },
): Promise<number> {
  await using lease = await ctx.cache.lease(ctx, storageId)
  const git = startProcess(ctx, { ...command, repository: lease.path }, options)
  options.input.pipe(git.input)
  const code = (await git.ended) ?? FATAL
  if (code !== 0)
    ctx.log.info({ 'git.storage': storageId, 'git.code': code, 'git.said': git.said() }, 'git exited early')
  return code
}
