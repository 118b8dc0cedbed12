/** What every fetch into a scratch repository has in common: its flags, and what follows it. */
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { publishPacks } from '../packs/publish.ts'
import { standOn, tipsOf } from '../refs/basis.ts'
import { moveRefs } from '../refs/move.ts'
import type { RefPolicy } from '../refs/policy.ts'
import type { RefUpdate } from '../refs/update.ts'
import type { Scratch } from '../write/scratch.ts'

export const FETCH_FLAGS = [
  '--no-tags',
  '--prune',
  '--force',
  '--quiet',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
] as const
/** Always a pack, never loose objects: only packs are published. */
export const FETCH_SETTINGS = {
  'fetch.unpackLimit': '1',
  'fetch.fsckObjects': 'true',
  'fetch.parallel': '1',
} as const

/** Publishes the fetched packs and moves all refs or none. Returns the bytes of the packs. */
export async function publishFetched(
  ctx: Context,
  scratch: Scratch,
  updates: readonly RefUpdate[],
  policy: RefPolicy,
): Promise<number> {
  const change = { storageId: scratch.storage.id, updates, isAtomic: true }
  const wanted = tipsOf(change)
  const packs = await publishPacks(ctx, scratch.path, { kind: 'write', wanted })
  const basis = await standOn(scratch.lease, wanted, packs)
  const results = await moveRefs(ctx, { ...change, written: { packs, basis } }, policy)
  const refused = results.find(({ refusal }) => refusal !== undefined)
  if (refused !== undefined)
    throw new Problem('conflict', 'failed to update refs', { refusal: refused.refusal })
  return packs.reduce((sum, pack) => sum + pack.bytes, 0)
}
