/** Pkt-lines: the framing of git's protocols. */
import { Problem } from '#platform/problem'

export const FLUSH = Buffer.from('0000')
export const DELIMITER = Buffer.from('0001')
const END = Buffer.from('0002')
const LINE_BYTES_MAX = 65_520
const LENGTH_DIGITS = 4
export const LINE_DATA_BYTES_MAX = LINE_BYTES_MAX - LENGTH_DIGITS

export type Pkt =
  | { readonly kind: 'line'; readonly data: Buffer }
  | { readonly kind: 'flush' | 'delimiter' | 'end' }

export function pktLine(text: string | Uint8Array): Buffer {
  const data = typeof text === 'string' ? Buffer.from(text) : Buffer.from(text)
  return Buffer.concat([Buffer.from(lengthOf(data.length)), data])
}

/** A pkt-line as text: thousands of lines are joined first and encoded once. */
export function pktText(text: string): string {
  return lengthOf(Buffer.byteLength(text)) + text
}

function lengthOf(bytes: number): string {
  if (bytes > LINE_DATA_BYTES_MAX) throw new RangeError('protocol error: line is too long')
  return (bytes + LENGTH_DIGITS).toString(16).padStart(LENGTH_DIGITS, '0')
}

/** Takes bytes as they arrive and returns complete pkt-lines; incomplete ones wait for the next bytes. */
export class PktReader {
  private pending = Buffer.alloc(0)

  /** One at a time: a list of empty pkt-lines is a thousand times larger than their bytes. */
  push(chunk: Uint8Array): Iterable<Pkt> {
    this.add(chunk)
    return this.whole()
  }

  /** For callers that read pkt-lines one by one, because other data may follow them. */
  add(chunk: Uint8Array): void {
    this.pending = this.pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.pending, chunk])
  }

  /** Whether the next bytes are these letters. */
  isAt(letters: string): boolean {
    return this.pending.toString('latin1', 0, letters.length) === letters
  }

  /** The next bytes without consuming them; undefined until enough have arrived. */
  peek(bytes: number): Buffer | undefined {
    return this.pending.length < bytes ? undefined : this.pending.subarray(0, bytes)
  }

  /** Complete pkt-lines with their original bytes, for requests that are forwarded unchanged. */
  *pushWithBytes(chunk: Uint8Array): Generator<{ pkt: Pkt; bytes: Buffer }> {
    for (const pkt of this.push(chunk)) yield { pkt, bytes: bytesOf(pkt) }
  }

  private *whole(): Generator<Pkt> {
    for (let pkt = this.next(); pkt !== undefined; pkt = this.next()) yield pkt
  }

  next(): Pkt | undefined {
    if (this.pending.length < LENGTH_DIGITS) return undefined
    const digits = this.pending.toString('latin1', 0, LENGTH_DIGITS)
    if (!/^[0-9a-fA-F]{4}$/.test(digits))
      throw new Problem('malformed', 'protocol error: bad line length character')
    const length = Number.parseInt(digits, 16)
    if (length < LENGTH_DIGITS) return this.special(length)
    if (length > LINE_BYTES_MAX) throw new Problem('malformed', 'protocol error: line is too long')
    if (this.pending.length < length) return undefined
    const data = this.pending.subarray(LENGTH_DIGITS, length)
    this.pending = this.pending.subarray(length)
    return { kind: 'line', data }
  }

  private special(length: number): Pkt {
    const kind = (['flush', 'delimiter', 'end'] as const)[length]
    if (kind === undefined) throw new Problem('malformed', 'protocol error: bad line length')
    this.pending = this.pending.subarray(LENGTH_DIGITS)
    return { kind }
  }
}

function bytesOf(pkt: Pkt): Buffer {
  if (pkt.kind === 'line') return pktLine(pkt.data)
  return pkt.kind === 'flush' ? FLUSH : pkt.kind === 'delimiter' ? DELIMITER : END
}

/** Text of a pkt-line without the optional trailing line feed. */
export function textOf(data: Buffer): string {
  const text = data.toString('utf8')
  return text.endsWith('\n') ? text.slice(0, -1) : text
}
