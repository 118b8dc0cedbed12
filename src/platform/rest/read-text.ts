/** Reads a stream into memory, up to a maximum length. */
import type { Readable } from 'node:stream'
import { Problem } from '#platform/problem'

export async function readText(stream: Readable | null, bytesMax: number): Promise<string> {
  if (stream === null) return ''
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Problem('too_large', 'request body is too large', { bytesMax })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
