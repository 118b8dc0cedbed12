/**
 * Splits the body of `npm publish`: JSON with the package as base64 in it. The surrounding text is small and read
 * into memory; the package is decoded as a stream.
 */
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { Problem } from '#platform/problem'

export interface Split<T> {
  /** The document, with its attachments emptied. */
  readonly text: string
  /** Result for the attachment; undefined if there was none. */
  readonly taken: T | undefined
}

const TEXT_BYTES_MAX = 8 * 1_048_576
const QUOTE = 0x22
const BACKSLASH = 0x5c

export async function splitPublication<T>(
  source: AsyncIterable<Buffer>,
  take: (content: Readable) => Promise<T>,
): Promise<Split<T>> {
  const scanner = new Scanner()
  const content = new PassThrough()
  let taking: Promise<T> | undefined
  try {
    for await (const chunk of source) {
      for (const bytes of scanner.scan(chunk)) {
        if (taking === undefined) {
          taking = take(content)
          // Handled by the await below.
          taking.catch(() => undefined)
        }
        if (!content.write(bytes)) await Promise.race([once(content, 'drain'), taking])
      }
      if (scanner.textBytes > TEXT_BYTES_MAX) throw new Problem('too_large', 'package document is too large')
    }
    content.end()
    return { text: scanner.text(), taken: taking && (await taking) }
  } catch (error) {
    content.destroy()
    await taking?.catch(() => undefined)
    throw error
  }
}

/** Tracks braces and keys of a JSON text as far as needed to find the data of an attachment. */
class Scanner {
  textBytes = 0
  private readonly pieces: Buffer[] = []
  /** Path of the current value: the last key of each object, null for an array. */
  private readonly path: (string | null)[] = []
  private state: 'outside' | 'string' | 'data' = 'outside'
  private isKeyNext = false
  private isEscaped = false
  private key = ''
  private rest = ''
  private attachments = 0

  text(): string {
    return Buffer.concat(this.pieces).toString('utf8')
  }

  /** Yields the attachment bytes of this chunk. */
  *scan(chunk: Buffer): Generator<Buffer> {
    for (let i = 0; i < chunk.length; ) {
      if (!this.isInData()) {
        i = this.scanText(chunk, i)
        continue
      }
      const end = chunk.indexOf(QUOTE, i)
      const until = end < 0 ? chunk.length : end
      yield this.decode(chunk.toString('latin1', i, until), end >= 0)
      if (end >= 0) this.state = 'string'
      i = until
    }
  }

  /** Keeps text outside of the data, and returns where it ends. */
  private scanText(chunk: Buffer, from: number): number {
    let i = from
    while (i < chunk.length && !this.isInData()) this.step(chunk[i++] as number)
    this.keep(chunk.subarray(from, i))
    if (this.isInData() && ++this.attachments > 1)
      throw new Problem('malformed', 'only one attachment is allowed')
    return i
  }

  private isInData(): boolean {
    return this.state === 'data'
  }

  private keep(bytes: Buffer): void {
    this.textBytes += bytes.length
    this.pieces.push(Buffer.from(bytes))
  }

  private step(byte: number): void {
    const sign = String.fromCharCode(byte)
    if (this.state === 'string') this.stepString(byte)
    else if (sign === '{' || sign === '[') {
      this.path.push(sign === '{' ? '' : null)
      this.isKeyNext = sign === '{'
      if (this.path.length > 1_000) throw new Problem('malformed', 'package document is too deep')
    } else if (sign === '}' || sign === ']') {
      this.path.pop()
      this.isKeyNext = false
    } else if (sign === ',') this.isKeyNext = this.path.at(-1) !== null
    else if (sign === ':') this.isKeyNext = false
    else if (byte === QUOTE) {
      this.key = ''
      this.state = !this.isKeyNext && this.isData() ? 'data' : 'string'
    }
  }

  private stepString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === BACKSLASH) this.isEscaped = true
    else if (byte === QUOTE) {
      if (this.isKeyNext) this.path[this.path.length - 1] = this.key
      this.state = 'outside'
    }
    if (this.isKeyNext && this.key.length < 64) this.key += String.fromCharCode(byte)
  }

  private isData(): boolean {
    return this.path.length === 3 && this.path[0] === '_attachments' && this.path[2] === 'data'
  }

  /** Four characters are three bytes; some clients escape slashes. */
  private decode(letters: string, isLast: boolean): Buffer {
    const all = this.rest + letters.replaceAll('\\', '')
    const whole = isLast ? all.length : all.length - (all.length % 4)
    this.rest = all.slice(whole)
    return Buffer.from(all.slice(0, whole), 'base64')
  }
}
