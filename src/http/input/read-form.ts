/** Reads a submitted form of a page: fields alone, or fields and files. */
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { Fields, type SentFile } from '#platform/page'
import { invalid } from '#platform/problem'
import { readUrlEncoded } from './read-urlencoded.ts'

const FIELDS_MAX = 2_000
const FILES_MAX = 50
const PIECE_BYTES = 1024 * 1024
const PARSE_MS_MAX = 10_000
const LIMITS = { files: FILES_MAX, fields: FIELDS_MAX, fieldSize: 16_777_216, fieldNameSize: 300 }

export async function readFields(
  headers: Readonly<IncomingHttpHeaders>,
  body: Buffer | undefined,
): Promise<Fields> {
  const type = headers['content-type'] ?? ''
  const bytes = body ?? Buffer.alloc(0)
  if (type.includes('multipart/form-data')) return readParts({ 'content-type': type }, bytes)
  if (bytes.length > 0 && !type.includes('form-urlencoded')) throw invalid('unsupported content type')
  const values = readUrlEncoded(bytes)
  for (const text of values.values()) assertText(text)
  return new Fields(values)
}

async function readParts(headers: { 'content-type': string }, body: Buffer): Promise<Fields> {
  const values = new URLSearchParams()
  const files: SentFile[] = []
  let form: InstanceType<typeof Busboy>
  try {
    form = new Busboy({ headers, limits: LIMITS })
  } catch {
    throw invalid('form cannot be parsed')
  }
  form.on('field', (name, value) => values.append(name, value))
  form.on('file', (field, stream, name) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => files.push({ field, name: name ?? '', bytes: Buffer.concat(chunks) }))
  })
  const finished = once(form, 'finish', { signal: AbortSignal.timeout(PARSE_MS_MAX) })
  // In pieces, so that other requests are answered in between.
  const writing = (async () => {
    for (let at = 0; at < body.length; at += PIECE_BYTES) {
      form.write(body.subarray(at, at + PIECE_BYTES))
      await setImmediate()
    }
    form.end()
  })()
  // The whole form has arrived: a parser that still waits for more has been sent a truncated form.
  await Promise.all([finished, writing]).catch(() => {
    throw invalid('form cannot be parsed')
  })
  for (const text of values.values()) assertText(text)
  return new Fields(values, files)
}

function assertText(text: string): void {
  if (text.includes('\0')) throw invalid('text must not contain a null character')
}
