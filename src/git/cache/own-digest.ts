/** Git's files end with the digest of everything before it, so their integrity can be checked without another record. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

const FORMATS = [
  { name: 'sha1', bytes: 20 },
  { name: 'sha256', bytes: 32 },
] as const

/** Works for both object formats; false when the file cannot be read. */
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
