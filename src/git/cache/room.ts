/** The disk of the cache when it is full: how that is told, and whether there is room again. */
import { statfs } from 'node:fs/promises'
import { Problem } from '#platform/problem'

const FULL = new Set(['ENOSPC', 'EDQUOT'])
/** A repository that is larger than the disk is refused alone: with this much free, others can be served. */
const FREE_BYTES_MIN = 64 * 1024 * 1024

export function isDiskFull(error: unknown): boolean {
  return FULL.has((error as NodeJS.ErrnoException).code ?? '')
}

export class Room {
  private readonly folder: string
  private wasFull = false

  constructor(folder: string) {
    this.folder = folder
  }

  /** What callers are told, in place of the failure of the disk. */
  full(): Problem {
    this.wasFull = true
    return new Problem('unavailable', 'cache disk is full')
  }

  /** Why this node must have no traffic: the disk was full when a repository was needed, and it still is. */
  async refusal(): Promise<string | undefined> {
    if (!this.wasFull) return undefined
    const { bavail, bsize } = await statfs(this.folder)
    this.wasFull = bavail * bsize < FREE_BYTES_MIN
    return this.wasFull ? 'cache disk is full: make room, or lower git.cache_bytes_max' : undefined
  }
}
