/** A full cache disk: the error returned to callers, and whether there is room again. */
import { statfs } from 'node:fs/promises'
import { Problem } from '#platform/problem'

const FULL = new Set(['ENOSPC', 'EDQUOT'])
/** With this much free, other repositories can be served; only a repository larger than the disk is refused. */
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

  /** The error for callers, in place of ENOSPC. */
  full(): Problem {
    this.wasFull = true
    return new Problem('unavailable', 'cache disk is full')
  }

  /**
   * Why this node is not ready: the disk was full when a repository was needed, and still is. Undefined when it is
   * ready.
   */
  async refusal(): Promise<string | undefined> {
    if (!this.wasFull) return undefined
    const { bavail, bsize } = await statfs(this.folder)
    this.wasFull = bavail * bsize < FREE_BYTES_MIN
    return this.wasFull ? 'cache disk is full: make room, or lower git.cache_bytes_max' : undefined
  }
}
