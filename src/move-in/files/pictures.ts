/** Avatars: files named by a digest, which stays their name, so that old addresses find them. */
import { pictureKey } from '#domains/people/users'
import type { Move } from '../carry/carry.ts'
import type { Files } from '../source/files.ts'
import { storeFile } from './store-file.ts'

const NAME = /^[0-9a-f]{32}(?:[0-9a-f]{32})?$/

/** Empty for one that was not uploaded, or whose file is gone. */
export function pictureIdOf({ facts }: Move, name: string): string {
  return facts.pictures.has(name) ? name : ''
}

export async function storePictures(move: Move, files: Files, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) {
    if (!NAME.test(name) || move.facts.pictures.has(name)) continue
    const bytes = await files.sizeOf(name)
    if (bytes === undefined) continue
    await storeFile(move, files, { path: name, bytes }, pictureKey(name))
    move.facts.pictures.add(name)
  }
}
