/** Finds a file that is too large among the objects that a push brings. */
import type { Context } from '#platform/context'
import type { Flag, GitCommand } from '../command/command.ts'
import { startGit } from '../command/run.ts'
import { ByteReader } from '../read/objects/split.ts'
import { explain, SAFE_ENV } from '../read/with-repository.ts'
import type { RefUpdate } from '../refs/update.ts'
import { isZeroOid } from '../storage/storage.ts'

/** As long as a push may take. */
const TIMEOUT_MS = 3_600_000

/**
 * The path of the first file above `bytesMax` that `update` brings, in a repository on disk that has the new objects;
 * files that its refs reach already are not new.
 */
export async function findLargeFile(
  ctx: Context,
  path: string,
  update: Pick<RefUpdate, 'old' | 'new'>,
  bytesMax: number,
): Promise<string | undefined> {
  if (isZeroOid(update.new)) return undefined
  // Git omits the large blobs, and prints their ids behind a tilde.
  const limit = `--filter=blob:limit=${bytesMax + 1}` as Flag
  const omitted = (line: string) => (line.startsWith('~') ? line.slice(1) : undefined)
  const oid = await findLine(
    ctx,
    path,
    update,
    [limit, '--filter-print-omitted', '--no-object-names'],
    omitted,
  )
  if (oid === undefined) return undefined
  const named = (line: string) => (line.startsWith(`${oid} `) ? line.slice(oid.length + 1) : undefined)
  return (await findLine(ctx, path, update, [], named)) ?? oid
}

async function findLine(
  ctx: Context,
  path: string,
  update: Pick<RefUpdate, 'old' | 'new'>,
  more: readonly Flag[],
  pick: (line: string) => string | undefined,
): Promise<string | undefined> {
  const flags: Flag[] = ['--objects', '--ignore-missing', ...more, '--stdin', '--not', '--all']
  const command: GitCommand = { name: 'rev-list', flags }
  const known = isZeroOid(update.old) ? [] : [`^${update.old}`]
  const input = [update.new, ...known, ''].join('\n')
  const running = startGit(ctx, command, { path, input, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS })
  try {
    const reader = new ByteReader(running.output)
    for (let line = await reader.line(); line !== undefined; line = await reader.line()) {
      const picked = pick(line)
      if (picked !== undefined) return picked
    }
    await running.done
    return undefined
  } catch (error) {
    throw explain(ctx, error)
  } finally {
    running.kill()
  }
}
