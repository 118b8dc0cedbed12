/** Stores a file of the source as an object. An object that is there is kept: keys come from digests or ids. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Move } from '../carry/carry.ts'

export async function storeFile(
  { ctx }: Pick<Move, 'ctx'>,
  path: string,
  key: string,
  bytes: number,
  sha256?: string,
): Promise<void> {
  if ((await ctx.store.stat(key))?.bytes === bytes) return
  const options = { bytes, signal: ctx.signal, ...(sha256 === undefined ? {} : { sha256 }) }
  await ctx.store.create(key, createReadStream(path), options)
}

/** Undefined when the source has lost the file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

/** A UUID of a digest, so that a second run finds the same object. */
export function uuidOf(digest: string): string {
  const parts = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20)]
  return [...parts, digest.slice(20, 32)].join('-')
}
