/**
 * Streaming ZIP writer: entries are stored uncompressed, and their sizes follow the content because they are not
 * known before. ZIP as in APPNOTE 6.3; ZIP64 for more than 65,534 entries or 4 GiB.
 */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

export interface ZipEntry {
  /** With slashes, and none at the beginning. */
  readonly name: string
  readonly open: () => Promise<Readable>
}

const LOCAL = 0x04034b50
const BEHIND = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const VERSION = 20
const VERSION_64 = 45
/** Sizes follow the content (data descriptor); names are UTF-8. */
const FLAGS = 0x0808
/** 1980-01-01, the earliest date: archives of the same content are identical. */
const DATE = 0x21
/** Tag of the ZIP64 extra field. */
const EXTRA_64 = 0x0001
/** Marks a field whose value is in the ZIP64 record. */
const ELSEWHERE_4 = 0xffff_ffff
const ELSEWHERE_2 = 0xffff

interface Written {
  readonly name: Buffer
  readonly crc: number
  readonly bytes: number
  readonly offset: number
}

export async function* zip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'utf8')
    const content = await entry.open()
    // An entry that cannot be read fails before its header is sent, so that the answer can still be an error.
    await once(content, 'readable')
    const head = localOf(name)
    yield head
    let [crc, bytes] = [0, 0]
    for await (const chunk of content as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc)
      bytes += chunk.length
      yield chunk
    }
    written.push({ name, crc, bytes, offset })
    const width = bytes >= ELSEWHERE_4 ? 8 : 4
    const behind = fields([BEHIND, 4], [crc, 4], [bytes, width], [bytes, width])
    yield behind
    offset += head.length + bytes + behind.length
  }
  yield* directoryOf(written, offset)
}

function localOf(name: Buffer): Buffer {
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
  return Buffer.concat([head, name])
}

/** The central directory, and the records that locate it. */
function* directoryOf(written: readonly Written[], offset: number): Generator<Buffer> {
  const directory = Buffer.concat(written.map(centralOf))
  yield directory
  const [count, bytes] = [written.length, directory.length]
  if (count >= ELSEWHERE_2 || bytes >= ELSEWHERE_4 || offset >= ELSEWHERE_4) {
    yield fields([END_64, 4], [44, 8], [VERSION_64, 2], [VERSION_64, 2], [0, 8])
    yield fields([count, 8], [count, 8], [bytes, 8], [offset, 8])
    yield fields([LOCATOR_64, 4], [0, 4], [offset + bytes, 8], [1, 4])
  }
  const shown = Math.min(count, ELSEWHERE_2)
  yield fields([END, 4], [0, 4], [shown, 2], [shown, 2])
  yield fields([Math.min(bytes, ELSEWHERE_4), 4], [Math.min(offset, ELSEWHERE_4), 4], [0, 2])
}

function centralOf({ name, crc, bytes, offset }: Written): Buffer {
  const isLarge = bytes >= ELSEWHERE_4 || offset >= ELSEWHERE_4
  const version = isLarge ? VERSION_64 : VERSION
  const size = isLarge ? ELSEWHERE_4 : bytes
  const extra = isLarge ? fields([EXTRA_64, 2], [24, 2], [bytes, 8], [bytes, 8], [offset, 8]) : NO_BYTES
  const head = fields(
    [CENTRAL, 4],
    [version, 2],
    [version, 2],
    [FLAGS, 2],
    [0, 4],
    [DATE, 2],
    [crc, 4],
    [size, 4],
    [size, 4],
    [name.length, 2],
    [extra.length, 2],
    // No comment, the first disk, no attributes.
    [0, 10],
    [isLarge ? ELSEWHERE_4 : offset, 4],
  )
  return Buffer.concat([head, name, extra])
}

const NO_BYTES = Buffer.alloc(0)

/** Little-endian numbers, each with its width in bytes. */
function fields(...numbers: readonly (readonly [value: number, width: number])[]): Buffer {
  return Buffer.concat(
    numbers.map(([value, width]) => {
      const bytes = Buffer.alloc(width)
      if (value !== 0) bytes.writeUIntLE(value, 0, Math.min(width, 6))
      return bytes
    }),
  )
}
