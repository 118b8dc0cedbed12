/** Git's files end with the digest of all that comes before: whether one is still what was written needs no other record. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

const FORMATS = [
  { name: 'sha1', bytes: 20 },
  { name: 'sha256', bytes: 32 },
] as const

/** In either format of object ids; false also when it cannot be read. */
export async function endsWithOwnDigest(path: string): Promise<boolean> {
  try {
    for (const { name, bytes } of FORMATS) if (await endsWith(path, name, bytes)) return true
  } catch {
    return false
  }
  return false
}

async function endsWith(path: string, name: string, bytes: number): Promise<boolean> {
  await using file = await open(path)
  const { size } = await file.stat()
  if (size <= bytes) return false
  const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, size - bytes)
  const hash = createHash(name)
  await pipeline(createReadStream(path, { end: size - bytes - 1 }), hash)
  return hash.digest().equals(buffer)
}
