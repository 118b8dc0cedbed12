/** The dialogue with receive-pack's proc-receive hook: it sends the commands of a push and receives a result for each. */
import { isUtf8 } from 'node:buffer'
import type { Readable, Writable } from 'node:stream'
import type { RefResult } from '../refs/update.ts'
import { FLUSH, LINE_DATA_BYTES_MAX, type Pkt, PktReader, pktLine, textOf } from './pkt-line.ts'

export interface Commands {
  readonly updates: readonly { name: string; old: string; new: string }[]
  readonly isAtomic: boolean
  readonly options: readonly string[]
}

const COMMAND = /^([0-9a-f]+) ([0-9a-f]+) (.+)$/s

/** Undefined when git exited before it sent commands: it has refused the push itself. */
export async function readProcReceive(from: Readable, to: Writable): Promise<Commands | undefined> {
  const sections = new Sections(from)
  const greeting = await sections.next()
  if (greeting === undefined) return undefined
  const capabilities = new Set(
    textOf(greeting[0] ?? Buffer.alloc(0))
      .split('\0')[1]
      ?.trim()
      .split(' ') ?? [],
  )
  to.write(
    Buffer.concat([pktLine(`version=1\0${capabilities.has('push-options') ? 'push-options' : ''}\n`), FLUSH]),
  )
  const lines = await sections.next()
  if (lines === undefined) return undefined
  const options = capabilities.has('push-options') ? ((await sections.next()) ?? []).map(textOf) : []
  const isAtomic = capabilities.has('atomic')
  return { updates: updatesOf(refuseUnreadable(to, lines, isAtomic)), isAtomic, options }
}

/** Refuses ref names that are not UTF-8 here, where their bytes are still known: PostgreSQL stores names as text. */
function refuseUnreadable(to: Writable, lines: readonly Buffer[], isAtomic: boolean): readonly Buffer[] {
  const readable = lines.filter((line) => isUtf8(line))
  if (readable.length === lines.length) return lines
  for (const line of lines)
    if (isAtomic || !isUtf8(line)) {
      const name = line.subarray(line.indexOf(' ', line.indexOf(' ') + 1) + 1)
      to.write(refusalLine(name, 'ref name is not valid UTF-8'))
    }
  return isAtomic ? [] : readable
}

function updatesOf(lines: readonly Buffer[]): Commands['updates'] {
  return lines.flatMap((line) => {
    const [, old = '', oid = '', name = ''] = COMMAND.exec(line.toString('utf8')) ?? []
    return name === '' ? [] : [{ name, old, new: oid }]
  })
}

export interface PushResult extends RefResult {
  /** The ref that was updated instead, when the name is not a real ref. */
  readonly standIn?: string
}

export function answerProcReceive(to: Writable, results: readonly PushResult[]): void {
  const lines = results.flatMap(({ update, refusal, standIn }) => {
    if (refusal !== undefined) return [refusalLine(Buffer.from(update.name), refusal)]
    const done = pktLine(`ok ${update.name}`)
    return standIn === undefined ? [done] : [done, pktLine(`option refname ${standIn}`)]
  })
  to.end(Buffer.concat([...lines, FLUSH]))
}

/** The name arrived in a line with two object ids, so a few words of the refusal always fit. */
function refusalLine(name: Buffer, refusal: string): Buffer {
  const line = Buffer.concat([Buffer.from('ng '), name, Buffer.from(` ${refusal}`)])
  return pktLine(line.subarray(0, LINE_DATA_BYTES_MAX))
}

/** Lines up to each flush packet. */
class Sections {
  private readonly chunks: AsyncIterator<Buffer>
  private readonly reader = new PktReader()
  private readonly ready: Pkt[] = []

  constructor(from: Readable) {
    this.chunks = from[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async next(): Promise<Buffer[] | undefined> {
    const lines: Buffer[] = []
    for (;;) {
      const pkt = this.ready.shift()
      if (pkt?.kind === 'line') lines.push(pkt.data)
      else if (pkt !== undefined) return lines
      else {
        const { value, done } = await this.chunks.next()
        if (done) return undefined
        for (const pkt of this.reader.push(value)) this.ready.push(pkt)
      }
    }
  }
}
