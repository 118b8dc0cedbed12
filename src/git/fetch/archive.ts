/** `git archive --remote`: git's own protocol on the hydrated cache. */

import type { Context } from '#platform/context'
import { runInteractiveGit, type Streams } from '../command/interactive.ts'
import type { StorageId } from '../tables.ts'

const ARCHIVE_TIMEOUT_MS = 3_600_000

/** Archives only what is reachable from refs, git's own default. Resolves with the exit code of git. */
export function serveArchive(ctx: Context, storageId: StorageId, streams: Streams): Promise<number> {
  return runInteractiveGit(
    ctx,
    storageId,
    { name: 'upload-archive' },
    { ...streams, timeoutMs: ARCHIVE_TIMEOUT_MS },
  )
}
