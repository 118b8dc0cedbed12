/**
 * Archives that are written while they are read: entries are stored as they are, and say how long they are behind their
 * content, because nobody knows before. ZIP as in APPNOTE 6.3, with sizes of four bytes.
 */
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { Problem } from '#platform/problem'

export interface ZipEntry {
  /** With slashes, and none at the beginning. */
  readonly name: string
  readonly open: () => Promise<Readable>
}

const LOCAL = 0x04034b50
const BEHIND = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** Sizes follow the content; names are UTF-8. */
const FLAGS = 0x0808
/** 1980-01-01, the first day there is: archives of the same content are the same. */
const DATE = 0x21
const SIZE_MAX = 0xffff_ffff
const ENTRIES_MAX = 0xffff

interface Written {
  readonly name: Buffer
  readonly crc: number
  readonly bytes: number
  readonly offset: number
}

export async function* zip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for (const entry of entries.slice(0, ENTRIES_MAX)) {
    const name = Buffer.from(entry.name, 'utf8')
    const head = fields(
      [LOCAL, 4],
      [VERSION, 2],
      [FLAGS, 2],
      [0, 4],
      [DATE, 2],
      [0, 12],
      [name.length, 2],
      [0, 2],
    )
    yield Buffer.concat([head, name])
    let [crc, bytes] = [0, 0]
    for await (const chunk of (await entry.open()) as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc)
      bytes += chunk.length
      yield chunk
    }
    written.push({ name, crc, bytes, offset })
    yield fields([BEHIND, 4], [crc, 4], [bytes, 4], [bytes, 4])
    offset += head.length + name.length + bytes + 16
    if (offset > SIZE_MAX) throw new Problem('too_large', 'archive is too large')
  }
  const directory = Buffer.concat(written.map(centralOf))
  yield directory
  const count = written.length
  yield fields([END, 4], [0, 4], [count, 2], [count, 2], [directory.length, 4], [offset, 4], [0, 2])
}

function centralOf({ name, crc, bytes, offset }: Written): Buffer {
  const head = fields(
    [CENTRAL, 4],
    [VERSION, 2],
    [VERSION, 2],
    [FLAGS, 2],
    [0, 4],
    [DATE, 2],
    [crc, 4],
    [bytes, 4],
    [bytes, 4],
    [name.length, 2],
    // No extra field, no comment, the first disk, no attributes.
    [0, 12],
    [offset, 4],
  )
  return Buffer.concat([head, name])
}

/** Numbers, the lowest byte first, each with its width; only a zero is wider than six bytes. */
function fields(...numbers: readonly (readonly [value: number, width: number])[]): Buffer {
  return Buffer.concat(
    numbers.map(([value, width]) => {
      const bytes = Buffer.alloc(width)
      if (value !== 0) bytes.writeUIntLE(value, 0, width)
      return bytes
    }),
  )
}
