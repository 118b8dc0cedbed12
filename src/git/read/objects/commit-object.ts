/** Parses commit and tag objects. */
import type { ObjectFormat } from '../../tables.ts'
import type { GitObject } from './objects.ts'
import { type Person, parsePerson } from './person.ts'

/** The signed bytes, and the armored signature. */
export interface Signature {
  readonly text: string
  readonly payload: Buffer
}

export interface CommitRecord {
  readonly oid: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Person
  readonly committer: Person
  readonly message: string
  readonly signature: Signature | null
  /** False when the object is too large to be read to its end: such a commit counts as unsigned. */
  readonly isWhole: boolean
}

export interface TagRecord {
  readonly oid: string
  readonly name: string
  readonly target: { readonly oid: string; readonly type: string }
  /** Very old tags have none. */
  readonly tagger: Person | null
  readonly message: string
  readonly signature: Signature | null
}

/** The header of the signature made over this object format. */
export const SIGNATURE_HEADER: Readonly<Record<ObjectFormat, string>> = {
  sha1: 'gpgsig',
  sha256: 'gpgsig-sha256',
}
const SIGNATURE_START = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----/gm

export function parseCommit(object: GitObject, format: ObjectFormat): CommitRecord {
  const { headers, body } = takeApart(object.data)
  const isWhole = object.data.length === object.size
  const decode = decoderOf(textOf(headers, 'encoding'))
  const signature = headers.find(({ name }) => name === SIGNATURE_HEADER[format])
  return {
    oid: object.oid,
    tree: textOf(headers, 'tree'),
    parents: headers.filter(({ name }) => name === 'parent').map(({ value }) => value.toString('latin1')),
    author: parsePerson(decode(headers.find(({ name }) => name === 'author')?.value)),
    committer: parsePerson(decode(headers.find(({ name }) => name === 'committer')?.value)),
    message: decode(body),
    signature:
      signature && isWhole
        ? { text: `${signature.value.toString('latin1')}\n`, payload: unsigned(headers, body) }
        : null,
    isWhole,
  }
}

export function parseTag(object: GitObject): TagRecord {
  const { headers, body } = takeApart(object.data)
  const tagger = headers.find(({ name }) => name === 'tagger')
  const text = body.toString('latin1')
  const start = [...text.matchAll(SIGNATURE_START)].at(-1)?.index
  const message = body.subarray(0, start ?? body.length)
  const isSigned = start !== undefined && object.data.length === object.size
  return {
    oid: object.oid,
    name: textOf(headers, 'tag'),
    target: { oid: textOf(headers, 'object'), type: textOf(headers, 'type') },
    tagger: tagger === undefined ? null : parsePerson(tagger.value.toString('utf8')),
    message: message.toString('utf8'),
    signature: isSigned ? { text: text.slice(start), payload: unsigned(headers, message) } : null,
  }
}

interface Header {
  readonly name: string
  /** Continuation lines without their leading space. */
  readonly value: Buffer
  /** The original bytes. */
  readonly raw: Buffer
}

function takeApart(data: Buffer): { headers: Header[]; body: Buffer } {
  const headers: Header[] = []
  let at = 0
  while (at < data.length && data[at] !== LINE_FEED) {
    let end = endOfLine(data, at)
    while (data[end] === SPACE) end = endOfLine(data, end)
    const raw = data.subarray(at, end)
    const [name = ''] = raw.toString('latin1', 0, NAME_BYTES_MAX).split(' ', 1)
    const value = raw.subarray(Math.min(name.length + 1, raw.length)).toString('latin1')
    headers.push({
      name,
      raw,
      value: Buffer.from(value.replace(/\n$/, '').replaceAll('\n ', '\n'), 'latin1'),
    })
    at = end
  }
  return { headers, body: data.subarray(Math.min(at + 1, data.length)) }
}

const LINE_FEED = 0x0a
const SPACE = 0x20
const NAME_BYTES_MAX = 128

function endOfLine(data: Buffer, from: number): number {
  const end = data.indexOf(LINE_FEED, from)
  return end === -1 ? data.length : end + 1
}

/** The object without its signatures of any object format. */
function unsigned(headers: readonly Header[], body: Buffer): Buffer {
  const rest = headers.filter(({ name }) => !name.startsWith('gpgsig')).map(({ raw }) => raw)
  return Buffer.concat([...rest, Buffer.from('\n'), body])
}

function textOf(headers: readonly Header[], wanted: string): string {
  return headers.find(({ name }) => name === wanted)?.value.toString('utf8') ?? ''
}

function decoderOf(encoding: string): (data: Buffer | undefined) => string {
  try {
    const decoder = new TextDecoder(encoding === '' ? 'utf-8' : encoding)
    return (data) => decoder.decode(data)
  } catch {
    return (data) => data?.toString('utf8') ?? ''
  }
}
