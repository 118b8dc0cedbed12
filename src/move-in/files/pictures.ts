/** Avatars: files named by a digest, which stays their name, so that old addresses find them. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pictureKey } from '#domains/people/users'
import type { Move } from '../carry/carry.ts'
import { storeFile } from './store-file.ts'

const NAME = /^[0-9a-f]{32}(?:[0-9a-f]{32})?$/

/** Empty for one that was not uploaded, or whose file is gone. */
export function pictureIdOf({ facts }: Move, name: string): string {
  return facts.pictures.has(name) ? name : ''
}

export async function storePictures(move: Move, folder: string, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) {
    if (!NAME.test(name) || move.facts.pictures.has(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) continue
    await storeFile(move, path, pictureKey(name), found.size)
    move.facts.pictures.add(name)
  }
}
