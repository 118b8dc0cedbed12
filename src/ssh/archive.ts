/** `git archive --remote`: git's own conversation, on the hydrated cache. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { searchPath } from '#platform/config'
import type { Context } from '#platform/context'

const ARCHIVE_TIMEOUT_MS = 3_600_000

/** Only what refs lead to is packed up, which is git's own rule for strangers. */
export async function serveArchive(
  ctx: Context,
  storageId: number,
  streams: { input: Readable; output: Writable },
): Promise<void> {
  await using lease = await ctx.cache.lease(ctx, storageId)
  const child = spawn('git', ['-c', 'safe.directory=*', 'upload-archive', lease.path], {
    env: {
      ...searchPath(),
      LC_ALL: 'C',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const end = () => child.kill('SIGKILL')
  const timer = setTimeout(end, ARCHIVE_TIMEOUT_MS)
  ctx.signal.addEventListener('abort', end, { once: true })
  // Git may end before it has read everything; what it has to say about that, it has said.
  child.stdin.on('error', () => undefined)
  streams.input.pipe(child.stdin)
  child.stdout.pipe(streams.output)
  try {
    await once(child, 'close')
  } finally {
    clearTimeout(timer)
    ctx.signal.removeEventListener('abort', end)
  }
}
