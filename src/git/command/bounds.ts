/** What a process of git may take: little to answer a question, more to pack and unpack whole repositories. */
import type { Context } from '#platform/context'
import type { GitCommand } from './command.ts'

export interface Bounds {
  readonly memoryBytesMax: number
  readonly nice: number
  readonly settings: Readonly<Record<string, string>>
}

/** They hold a list of all objects that go from one place to another. */
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
 * A file above the threshold is streamed and not compared line by line: a diff takes a hundred times as much memory as
 * a file of empty lines. Where packs are made it is what deltas are still looked for in.
 */
const QUESTION = { 'core.bigFileThreshold': '4m' }
const TRANSFER = { 'core.bigFileThreshold': '32m', 'pack.windowMemory': '256m' }

/** What strangers ask for gives way to what people do. */
const NICE_TO_PEOPLE = 10

export function boundsOf(ctx: Context, { name }: GitCommand): Bounds {
  const isTransfer = TRANSFERS.has(name)
  // What the forge does for itself walks whole repositories, by whatever command.
  const isLarge = isTransfer || ctx.visitor === undefined
  return {
    memoryBytesMax: ctx.config[`git.${isLarge ? 'transfer' : 'process'}_memory_bytes_max`],
    nice: ctx.visitor?.lane === 'nobody' ? NICE_TO_PEOPLE : 0,
    settings: isTransfer ? TRANSFER : QUESTION,
  }
}
