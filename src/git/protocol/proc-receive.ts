/** The conversation with receive-pack's hook: it tells the commands of a push, and is told what became of each. */
import type { Readable, Writable } from 'node:stream'
import type { RefResult } from '../refs/update.ts'
import { FLUSH, type Pkt, PktReader, pktLine, textOf } from './pkt-line.ts'

export interface Commands {
  readonly updates: readonly { name: string; old: string; new: string }[]
  readonly isAtomic: boolean
  readonly options: readonly string[]
}

const COMMAND = /^([0-9a-f]+) ([0-9a-f]+) (.+)$/s

/** undefined when git ended before it came to the commands: it has refused the push by itself. */
export async function readProcReceive(from: Readable, to: Writable): Promise<Commands | undefined> {
  const sections = new Sections(from)
  const greeting = await sections.next()
  if (greeting === undefined) return undefined
  const capabilities = new Set((greeting[0] ?? '').split('\0')[1]?.trim().split(' ') ?? [])
  to.write(
    Buffer.concat([pktLine(`version=1\0${capabilities.has('push-options') ? 'push-options' : ''}\n`), FLUSH]),
  )
  const lines = await sections.next()
  if (lines === undefined) return undefined
  const options = capabilities.has('push-options') ? ((await sections.next()) ?? []) : []
  const updates = lines.flatMap((line) => {
    const [, old = '', oid = '', name = ''] = COMMAND.exec(line) ?? []
    return name === '' ? [] : [{ name, old, new: oid }]
  })
  return { updates, isAtomic: capabilities.has('atomic'), options }
}

export function answerProcReceive(to: Writable, results: readonly RefResult[]): void {
  const lines = results.map(({ update, refusal }) =>
    pktLine(refusal === undefined ? `ok ${update.name}` : `ng ${update.name} ${refusal}`),
  )
  to.end(Buffer.concat([...lines, FLUSH]))
}

/** Lines up to each flush. */
class Sections {
  private readonly chunks: AsyncIterator<Buffer>
  private readonly reader = new PktReader()
  private readonly ready: Pkt[] = []

  constructor(from: Readable) {
    this.chunks = from[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  async next(): Promise<string[] | undefined> {
    const lines: string[] = []
    for (;;) {
      const pkt = this.ready.shift()
      if (pkt?.kind === 'line') lines.push(textOf(pkt.data))
      else if (pkt !== undefined) return lines
      else {
        const { value, done } = await this.chunks.next()
        if (done) return undefined
        this.ready.push(...this.reader.push(value))
      }
    }
  }
}
