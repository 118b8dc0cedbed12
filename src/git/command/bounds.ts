/** Resource limits of a git process: low for queries, higher for packing and unpacking whole repositories. */
import type { Context } from '#platform/context'
import type { GitCommand } from './command.ts'

export interface Bounds {
  readonly memoryBytesMax: number
  readonly nice: number
  readonly settings: Readonly<Record<string, string>>
}

/** These commands hold a list of all transferred objects in memory. */
const TRANSFERS: ReadonlySet<string> = new Set([
  'archive',
  'bundle',
  'commit-graph',
  'fetch',
  'fsck',
  'index-pack',
  'multi-pack-index',
  'pack-objects',
  'push',
  'receive-pack',
  'repack',
  'unpack-objects',
  'upload-archive',
  'upload-pack',
])

/**
 * Files above the threshold are streamed instead of compared line by line: a diff of a file of empty lines takes a
 * hundred times its size in memory. For packing, the threshold is the size up to which git searches for deltas.
 */
const QUESTION = { 'core.bigFileThreshold': '4m' }
const TRANSFER = { 'core.bigFileThreshold': '32m', 'pack.windowMemory': '256m' }

/** Git runs at lower priority for anonymous visitors than for users. */
const NICE_TO_PEOPLE = 10

export function boundsOf(ctx: Context, { name }: GitCommand): Bounds {
  const isTransfer = TRANSFERS.has(name)
  // Background work of the forge walks whole repositories, whatever the command.
  const isLarge = isTransfer || ctx.visitor === undefined
  return {
    memoryBytesMax: ctx.config[`git.${isLarge ? 'transfer' : 'process'}_memory_bytes_max`],
    nice: ctx.visitor?.lane === 'nobody' ? NICE_TO_PEOPLE : 0,
    settings: isTransfer ? TRANSFER : QUESTION,
  }
}
