/** Splits output of git while it arrives, so that it need not fit into memory. */
import { Problem } from '#platform/problem'

const PIECE_BYTES_MAX = 1024 * 1024

/** The NUL-separated pieces; a non-empty rest counts as a piece. */
export async function* splitNul(output: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of output) {
    let bytes: Buffer = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0)) {
      yield bytes.toString('utf8', 0, end)
      bytes = bytes.subarray(end + 1)
    }
    if (bytes.length > PIECE_BYTES_MAX)
      throw new Problem('too_large', 'git output is too large: name is too long')
    pending = bytes
  }
  if (pending.length > 0) yield pending.toString('utf8')
}

/** Reads lines and counted bytes from a stream. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>
  private pending: Buffer = Buffer.alloc(0)

  constructor(output: AsyncIterable<Buffer>) {
    this.chunks = output[Symbol.asyncIterator]()
  }

  /** Without the line feed; undefined when the stream ended before it. */
  async line(): Promise<string | undefined> {
    let end = this.pending.indexOf('\n')
    while (end === -1) {
      if (this.pending.length > PIECE_BYTES_MAX)
        throw new Problem('too_large', 'git output is too large: line is too long')
      if (!(await this.more())) return undefined
      end = this.pending.indexOf('\n')
    }
    const line = this.pending.toString('utf8', 0, end)
    this.pending = this.pending.subarray(end + 1)
    return line
  }

  /** The next `count` bytes, of which only the first `keep` are kept; undefined when the stream ends before. */
  async take(count: number, keep: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    let kept = 0
    for (let left = count; left > 0; ) {
      if (this.pending.length === 0 && !(await this.more())) return undefined
      const part = this.pending.subarray(0, Math.min(left, this.pending.length))
      const wanted = part.subarray(0, keep - kept)
      if (wanted.length > 0) parts.push(wanted)
      kept += wanted.length
      left -= part.length
      this.pending = this.pending.subarray(part.length)
    }
    return Buffer.concat(parts)
  }

  private async more(): Promise<boolean> {
    const { value, done } = await this.chunks.next()
    if (done) return false
    this.pending = this.pending.length === 0 ? value : Buffer.concat([this.pending, value])
    return true
  }
}
