/** What the cache knows of one copy of a repository. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectFormat, Storage } from '../tables.ts'

export interface Entry {
  readonly path: string
  readonly format: ObjectFormat
  /** The word of the generation it was brought to; undefined while it is none. */
  stamp: string | undefined
  /** When the row was read that it was brought to, on the clock of this cache. */
  readAt: number
  /** Files of packs that must be there: anybody may delete any of them at any time. */
  files: number
  /** Stamps whose packs may be there: that one, and others while it is brought from one to the next. */
  stamps: readonly string[]
  /** Of each lease, the stamps of what was there while it was held. */
  readonly leases: Set<Set<string>>
  bytes: number
  usedAt: number
  hydrating: Promise<void> | undefined
  digests: readonly string[]
}

/** What git needs beside packs to take a folder for a repository. */
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
 * Whether what was read of the truth is what was brought here, or something was that was read later still. Numbers would
 * not do: a truth that lost its last commits counts them again.
 */
export function isCurrent(entry: Entry, storage: Storage, readAt: number): boolean {
  return entry.stamp === storage.stamp || (entry.stamp !== undefined && entry.readAt > readAt)
}

export async function isIntact(entry: Entry): Promise<boolean> {
  const names = await readdir(entry.path).catch((): string[] => [])
  const packs = await readdir(join(entry.path, 'objects/pack')).catch(() => undefined)
  return PARTS.every((part) => names.includes(part)) && isWhole(packs, entry.files)
}

/** A bitmap more does not make up for an index less. */
function isWhole(names: readonly string[] | undefined, files: number): boolean {
  return names !== undefined && names.filter((name) => !name.endsWith('.bitmap')).length >= files
}
