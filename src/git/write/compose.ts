/** Writes commit and tag objects directly: a few lines are not worth a git process. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import { invalid } from '#platform/problem'
import { SIGNATURE_HEADER } from '../read/objects/commit-object.ts'
import { formatPerson, type Person } from '../read/objects/person.ts'
import type { ObjectFormat } from '../tables.ts'
import type { Scratch } from './scratch.ts'

/** Signs a commit without signature header, and returns the armored signature. */
export type Sign = (payload: Buffer) => Promise<string>

export interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Person
  readonly committer: Person
  readonly message: string
  readonly sign?: Sign | undefined
}

export interface NewTag {
  readonly name: string
  readonly target: { readonly oid: string; readonly type: string }
  readonly tagger: Person
  readonly message: string
}

const MESSAGE_BYTES_MAX = 128 * 1024
const compress = promisify(deflate)

export async function writeCommit(scratch: Scratch, commit: NewCommit): Promise<string> {
  const headers = [
    `tree ${commit.tree}`,
    ...commit.parents.map((oid) => `parent ${oid}`),
    `author ${formatPerson(commit.author)}`,
    `committer ${formatPerson(commit.committer)}`,
  ]
  const textWith = (signature: readonly string[]) =>
    [...headers, ...signature, '', cleanMessage(commit.message)].join('\n')
  const signature = await commit.sign?.(Buffer.from(textWith([])))
  const header = signature === undefined ? [] : signatureHeader(signature, scratch.storage.object_format)
  return writeObject(scratch, 'commit', textWith(header))
}

/** The last header; continuation lines begin with a space. */
function signatureHeader(signature: string, format: ObjectFormat): string[] {
  const [first = '', ...rest] = signature.trimEnd().split('\n')
  return [`${SIGNATURE_HEADER[format]} ${first}`, ...rest.map((line) => ` ${line}`)]
}

export function writeTag(scratch: Scratch, tag: NewTag): Promise<string> {
  const lines = [
    `object ${tag.target.oid}`,
    `type ${tag.target.type}`,
    `tag ${tag.name}`,
    `tagger ${formatPerson(tag.tagger)}`,
    '',
    cleanMessage(tag.message),
  ]
  return writeObject(scratch, 'tag', lines.join('\n'))
}

/** A message ends with a line feed and contains no NUL, which other tools take for its end. */
export function cleanMessage(message: string): string {
  const text = message.replaceAll('\0', '').replaceAll('\r\n', '\n')
  if (Buffer.byteLength(text) > MESSAGE_BYTES_MAX) throw invalid('commit message is too long')
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

/** The id of an object is the digest of its type, length and content. */
async function writeObject(scratch: Scratch, type: 'commit' | 'tag', text: string): Promise<string> {
  const body = Buffer.from(text)
  const content = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  const oid = createHash(scratch.storage.object_format).update(content).digest('hex')
  const folder = join(scratch.path, 'objects', oid.slice(0, 2))
  await mkdir(folder, { recursive: true })
  const part = join(folder, randomUUID())
  await writeFile(part, await compress(content))
  await rename(part, join(folder, oid.slice(2)))
  return oid
}
