/** JSON lines of an export, bounded in length, number of values and depth. */
import { parseJson } from '#platform/json'
import { OperatorError } from '#platform/operator-error'

/** One pull request with all its reviews is a line. */
const LINE_BYTES_MAX = 64 * 1024 * 1024
const VALUES_MAX = 1_000_000
const DEPTH_MAX = 32
const [NEWLINE, QUOTE, BACKSLASH] = [0x0a, 0x22, 0x5c]
const OPENINGS = new Set([0x5b, 0x7b])
const CLOSINGS = new Set([0x5d, 0x7d])

export async function* readLines(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<unknown> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      yield parse(Buffer.concat([...parts, chunk.subarray(from, end)]), file)
      parts = []
      bytes = 0
      from = end + 1
    }
    parts.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > LINE_BYTES_MAX) throw new OperatorError(`${file} of the export has a line that is too long`)
  }
  if (bytes > 0) throw new OperatorError(`${file} of the export ends within a line`)
}

function parse(line: Buffer, file: string): unknown {
  if (!isShallow(line))
    throw new OperatorError(`${file} of the export has a record that is nested too deeply`)
  try {
    return parseJson(line, VALUES_MAX)
  } catch {
    throw new OperatorError(`${file} of the export has a line that is no JSON, or too much of it`)
  }
}

function isShallow(line: Buffer): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < line.length && depth <= DEPTH_MAX; at++) {
    const byte = line[at] ?? 0
    if (isText && byte === BACKSLASH) at++
    else if (byte === QUOTE) isText = !isText
    else if (!isText && OPENINGS.has(byte)) depth += 1
    else if (!isText && CLOSINGS.has(byte)) depth -= 1
  }
  return depth <= DEPTH_MAX
}
