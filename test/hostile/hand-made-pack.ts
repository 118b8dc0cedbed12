/** Packs made byte by byte, as git would never write them. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

export interface MadeObject {
  readonly oid: string
  /** As stored in a pack. */
  readonly packed: Buffer
}

const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }
const REF_DELTA = 7
const PERSON = 'Smith <smith@example.test> 1700000000 +0000'

export function object(type: ObjectType, content: string | Buffer): MadeObject {
  const data = Buffer.from(content)
  const oid = createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')
  return { oid, packed: entry(TYPES[type], data.length, data) }
}

export function commit(tree: string, parents: readonly string[] = [], message = 'made by hand'): MadeObject {
  const lines = [`tree ${tree}`, ...parents.map((oid) => `parent ${oid}`)]
  return object(
    'commit',
    [...lines, `author ${PERSON}`, `committer ${PERSON}`, '', `${message}\n`].join('\n'),
  )
}

export interface TreeEntry {
  readonly mode?: string
  readonly name: string | Buffer
  readonly oid: string
}

/** The entries as given: in any order, with any name. */
export function tree(entries: readonly TreeEntry[]): MadeObject {
  return object(
    'tree',
    Buffer.concat(
      entries.flatMap(({ mode = '100644', name, oid }) => [
        Buffer.from(`${mode} `),
        Buffer.from(name),
        Buffer.from([0]),
        Buffer.from(oid, 'hex'),
      ]),
    ),
  )
}

/** The sizes in a delta's header need not be true. */
export function refDelta(base: string, sizes: { base: bigint; result: bigint }, code: Buffer): Buffer {
  const delta = Buffer.concat([varint(sizes.base), varint(sizes.result), code])
  return Buffer.concat([entryHead(REF_DELTA, delta.length), Buffer.from(base, 'hex'), deflateSync(delta)])
}

/** One instruction of a delta: copy bytes from the beginning of the base. */
export function copyFromBase(bytes: number): Buffer {
  return Buffer.from([0b1111_0000, bytes & 0xff, (bytes >> 8) & 0xff, (bytes >> 16) & 0xff])
}

export function entry(type: number, size: number, data: Buffer): Buffer {
  return Buffer.concat([entryHead(type, size), deflateSync(data)])
}

/** A pack with a correct checksum, whatever it claims to hold. */
export function pack(entries: readonly Buffer[], claimed = entries.length): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(claimed, 8)
  const body = Buffer.concat([head, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

export function packOf(...objects: readonly MadeObject[]): Buffer {
  return pack(objects.map(({ packed }) => packed))
}

function entryHead(type: number, size: number): Buffer {
  const bytes: number[] = []
  let rest = Math.floor(size / 16)
  let byte = (type << 4) | (size & 15)
  while (rest > 0) {
    bytes.push(byte | 0x80)
    byte = rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, byte])
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}
