/** Parses `git log` with `--raw` or `--numstat`: commits, byte for byte where possible, and their changes. */
import { createHash } from 'node:crypto'
import type { ObjectFormat } from '../../tables.ts'
import { ChangeCollector } from '../diff/changes.ts'
import type { GitObject } from '../objects/objects.ts'
import { isOid } from '../objects/oid.ts'
import { splitNul } from '../objects/split.ts'

export interface Walked {
  readonly oid: string
  /** Undefined when git did not print the commit, or not byte for byte. */
  readonly object: GitObject | undefined
  readonly changes: ChangeCollector
}

const OPENING = /^commit ([0-9a-f]{64}|[0-9a-f]{40})\b[^\n]*\n/
const MESSAGE = /^(?: {4}[^\n]*\n)*/
const INDENT = /^ {4}/gm

/** Commits are printed with `--format=raw` or `--format=%H`. */
export async function readLog(
  output: AsyncIterable<Buffer>,
  format: ObjectFormat,
  { filesMax, pageFilesMax }: { readonly filesMax: number; readonly pageFilesMax: number },
): Promise<Walked[]> {
  const walked: Walked[] = []
  let left = pageFilesMax
  const collect = () => {
    left -= walked.at(-1)?.changes.files.size ?? 0
    return new ChangeCollector(Math.max(0, Math.min(filesMax, left)))
  }
  for await (const piece of splitNul(output)) {
    const current = walked.at(-1)
    if (current?.changes.isWaiting) {
      current.changes.add(piece)
      continue
    }
    const oid = OPENING.exec(piece)?.[1]
    if (oid !== undefined) {
      const { object, rest } = parseRaw(oid, piece, format)
      const changes = collect()
      walked.push({ oid, object, changes })
      changes.add(rest)
    } else if (isOid(piece)) walked.push({ oid: piece, object: undefined, changes: collect() })
    else current?.changes.add(piece)
  }
  return walked
}

/**
 * Git prints the header as it is stored, but indents the message and drops whitespace. So the object is reassembled and
 * accepted only if its digest equals its id: a signature covers every byte.
 */
function parseRaw(
  oid: string,
  piece: string,
  format: ObjectFormat,
): { object: GitObject | undefined; rest: string } {
  const start = piece.indexOf('\n') + 1
  const end = piece.indexOf('\n\n', start)
  const header = end === -1 ? piece.slice(start) : piece.slice(start, end + 1)
  const shown = end === -1 ? '' : piece.slice(end + 2)
  const block = MESSAGE.exec(shown)?.[0] ?? ''
  const message = block.replaceAll(INDENT, '')
  const texts = [`${header}\n${message}`, `${header}\n${message.slice(0, -1)}`]
  const data = texts.map((text) => Buffer.from(text)).find((it) => digestOf(it, format) === oid)
  const object = data && { oid, type: 'commit' as const, size: data.length, data }
  return { object, rest: shown.slice(block.length) }
}

function digestOf(data: Buffer, format: ObjectFormat): string {
  return createHash(format).update(`commit ${data.length}\0`).update(data).digest('hex')
}
