/** Whether a commit is still reachable: commits removed by a force push stay in packs for a while, but belong to no ref. */
import type { Context } from '#platform/context'
import type { GitCommand } from '../../command/command.ts'
import { gitText } from '../../command/run.ts'
import { listPeeledTips } from '../../refs/read.ts'
import type { Storage, StorageId } from '../../tables.ts'
import { cachedAtStamp } from '../cached.ts'
import { assertOids } from '../objects/oid.ts'
import { isUnreadable, SAFE_ENV, withRepository } from '../with-repository.ts'

const TIMEOUT_MS = 30_000
/** Counts commits that no ref reaches; with a bitmap nothing is walked. */
const UNREACHED = ['--count', '--use-bitmap-index'] as const

/** Whether a ref reaches the commit. The answer holds until a ref moves. */
export async function isReached(ctx: Context, storage: Storage, oid: string): Promise<boolean> {
  assertOids(oid)
  const { isReached } = await cachedAtStamp(ctx, storage, 'reached', [oid], async () => ({
    isReached: (await isReachedOnDisk(ctx, storage.id, oid)) || (await isReachedByMany(ctx, storage.id, oid)),
  }))
  return isReached
}

async function isReachedOnDisk(ctx: Context, storageId: StorageId, oid: string): Promise<boolean> {
  const flags = [...UNREACHED, '--not', '--all', '--not'] as const
  return (await tell(ctx, storageId, { name: 'rev-list', flags, words: [oid] })) === '0'
}

/** With very many refs the copy on disk has none in `packed-refs`. */
async function isReachedByMany(ctx: Context, storageId: StorageId, oid: string): Promise<boolean> {
  const some = await tell(ctx, storageId, { name: 'for-each-ref', flags: ['--count=1'] })
  if (some !== '') return false
  const tips = await listPeeledTips(ctx.db, storageId)
  const input = [oid, ...tips.map((tip) => `^${tip}`), ''].join('\n')
  return (await tell(ctx, storageId, { name: 'rev-list', flags: [...UNREACHED, '--stdin'] }, input)) === '0'
}

/** Whether `tips` reach all of `older`, of which some may be gone. */
export async function areReached(
  ctx: Context,
  storageId: StorageId,
  { tips, older }: { readonly tips: readonly string[]; readonly older: readonly string[] },
): Promise<boolean> {
  assertOids(...tips, ...older)
  const input = [...older, ...tips.map((tip) => `^${tip}`), ''].join('\n')
  try {
    return (await tell(ctx, storageId, { name: 'rev-list', flags: [...UNREACHED, '--stdin'] }, input)) === '0'
  } catch (error) {
    if (isUnreadable(error)) return false
    throw error
  }
}

function tell(ctx: Context, storageId: StorageId, command: GitCommand, input = ''): Promise<string> {
  return withRepository(ctx, storageId, async (path) => {
    const options = { path, input, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS }
    return (await gitText(ctx, command, options)).trim()
  })
}
