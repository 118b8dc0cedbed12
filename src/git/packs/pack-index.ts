/** Reads pack indexes directly: whether one lists an object is too small a question for a git process. */
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Version 2: magic and version, then the fanout table, then all ids in order. */
const MAGIC = 0xff744f63
const FANOUT_AT = 8
const OIDS_AT = FANOUT_AT + 4 * 256
/** Ids read at once. */
const OIDS_AT_ONCE = 128

/** The subset of `oids` that the index at `path` lists. */
export async function findInIndex(path: string, oids: Iterable<string>): Promise<Set<string>> {
  const found = new Set<string>()
  const file = await open(path)
  try {
    const head = await read(file, 0, OIDS_AT)
    if (head.readUInt32BE(0) !== MAGIC) throw new Error('not a pack index file')
    for (const oid of oids) if (await lists(file, head, Buffer.from(oid, 'hex'))) found.add(oid)
  } finally {
    await file.close()
  }
  return found
}

/** The subset of `oids` that any index in a folder lists. */
export async function findInIndexes(folder: string, oids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const name of await readdir(folder)) {
    const missing = oids.filter((oid) => !found.has(oid))
    if (missing.length === 0) break
    if (!name.endsWith('.idx')) continue
    for (const oid of await findInIndex(join(folder, name), missing)) found.add(oid)
  }
  return found
}

/** Binary search until the remaining range can be read at once. */
async function lists(file: FileHandle, head: Buffer, oid: Buffer): Promise<boolean> {
  const first = oid.readUInt8(0)
  let low = first === 0 ? 0 : head.readUInt32BE(FANOUT_AT + 4 * (first - 1))
  let high = head.readUInt32BE(FANOUT_AT + 4 * first)
  while (high - low > OIDS_AT_ONCE) {
    const middle = Math.floor((low + high) / 2)
    if ((await read(file, OIDS_AT + middle * oid.length, oid.length)).compare(oid) > 0) high = middle
    else low = middle
  }
  const ids = await read(file, OIDS_AT + low * oid.length, (high - low) * oid.length)
  for (let at = 0; at < ids.length; at += oid.length)
    if (ids.subarray(at, at + oid.length).equals(oid)) return true
  return false
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  if (bytesRead < length) throw new Error('pack index is truncated')
  return buffer
}
