/** Pushes to a remote: makes it have the same branches and tags. */

import type { Context } from '#platform/context'
import { gitText } from '../command/run.ts'
import type { StorageId } from '../tables.ts'
import { openScratch } from '../write/scratch.ts'
import { environmentFor, explainRemote, type Remote } from './remote.ts'

/** Branches and tags, forced; refs deleted here are deleted there. */
export async function pushTo(
  ctx: Context,
  storageId: StorageId,
  remote: Remote,
  limits: { readonly timeoutMs: number },
): Promise<void> {
  await using scratch = await openScratch(ctx, storageId)
  const command = {
    name: 'push',
    flags: ['--prune', '--force', '--quiet', '--no-verify'] as const,
    words: [remote.url, '+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'],
  }
  try {
    const environment = await environmentFor(ctx, remote)
    const options = { path: scratch.path, timeoutMs: limits.timeoutMs }
    await gitText(ctx, command, { ...options, environment })
  } catch (error) {
    throw explainRemote(error)
  }
}
