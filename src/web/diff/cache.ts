/**
 * Cache of rendered files, limited by size. A rendered file is a pure function of two blobs, the path, the
 * language and a few options, all of which are in its key: nothing has to be invalidated, and a caller that has the key may have the
 * file.
 */
import { LRUCache } from 'lru-cache'
import type { RenderedFile } from './render.ts'

const KEPT_CHARACTERS_MAX = 32 * 1024 * 1024
const OVERHEAD = 200

const kept = new LRUCache<string, RenderedFile>({ maxSize: KEPT_CHARACTERS_MAX })

export function findRendered(key: string): RenderedFile | undefined {
  return kept.get(key)
}

export function keepRendered(key: string, file: RenderedFile): void {
  kept.set(key, file, { size: OVERHEAD + key.length + file.markup.length })
}
