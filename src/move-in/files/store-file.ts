/** Stores a file of the source as an object. An object that is there is kept: keys come from digests or ids. */
import type { Move } from '../carry/carry.ts'
import type { Files } from '../source/files.ts'

export interface SourceFile {
  readonly path: string
  readonly bytes: number
  readonly sha256?: string
}

export async function storeFile(
  { ctx }: Pick<Move, 'ctx'>,
  files: Files,
  { path, ...expected }: SourceFile,
  key: string,
): Promise<void> {
  if ((await ctx.store.stat(key))?.bytes === expected.bytes) return
  await ctx.store.create(key, await files.read(path), { ...expected, signal: ctx.signal })
}

/** A UUID of a digest, so that a second run finds the same object. */
export function uuidOf(digest: string): string {
  const parts = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20)]
  return [...parts, digest.slice(20, 32)].join('-')
}
