/** State of one cached copy of a repository. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectFormat, Storage } from '../tables.ts'

export interface Entry {
  readonly path: string
  readonly format: ObjectFormat
  /** Stamp of the generation the copy is at; undefined before the first hydration. */
  stamp: string | undefined
  /** Tick of the cache at which the copy's storage row was read. */
  readAt: number
  /** Number of pack files that must exist; anyone may delete them at any time. */
  files: number
  /** Stamps whose packs may be present: the current one, and the next one while it is being applied. */
  stamps: readonly string[]
  /** For each lease, the stamps the copy has had while it was held. */
  readonly leases: Set<Set<string>>
  bytes: number
  usedAt: number
  hydrating: Promise<void> | undefined
  digests: readonly string[]
}

/** What git requires besides packs to accept a directory as a repository. */
const PARTS = ['config', 'HEAD', 'packed-refs', 'refs']

export function newEntry(path: string, format: ObjectFormat): Entry {
  return {
    path,
    format,
    stamp: undefined,
    readAt: 0,
    files: 0,
    stamps: [],
    leases: new Set(),
    bytes: 0,
    usedAt: 0,
    hydrating: undefined,
    digests: [],
  }
}

/**
 * Whether the copy is at the storage row that was read, or at one read later. Comparing generation numbers would not
 * do: after a failover that lost commits, PostgreSQL hands out the same numbers again.
 */
export function isCurrent(entry: Entry, storage: Storage, readAt: number): boolean {
  return entry.stamp === storage.stamp || (entry.stamp !== undefined && entry.readAt > readAt)
}

export async function isIntact(entry: Entry): Promise<boolean> {
  const names = await readdir(entry.path).catch((): string[] => [])
  const packs = await readdir(join(entry.path, 'objects/pack')).catch(() => undefined)
  return PARTS.every((part) => names.includes(part)) && isWhole(packs, entry.files)
}

/** Bitmaps are not counted: an extra bitmap must not hide a missing index. */
function isWhole(names: readonly string[] | undefined, files: number): boolean {
  return names !== undefined && names.filter((name) => !name.endsWith('.bitmap')).length >= files
}
