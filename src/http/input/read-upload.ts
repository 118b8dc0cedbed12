/** Reads an uploaded file, from a form or as a raw body, without holding it in memory. */
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { invalid, Problem } from '#platform/problem'
import type { Upload } from '#platform/rest'

/** A form holds the file and perhaps a few text fields. */
const FORM_LIMITS = { files: 1, fields: 20, fieldSize: 65_536, fieldNameSize: 255, parts: 21 }

export async function readUpload(
  headers: IncomingHttpHeaders,
  raw: Readable | undefined,
  bytesMax: number,
): Promise<Upload | null> {
  if (raw === undefined) return null
  const type = headers['content-type'] ?? ''
  if (!type.includes('multipart/form-data')) return { name: '', content: bounded(raw, bytesMax) }
  return readForm({ ...headers, 'content-type': type }, raw, bytesMax)
}

async function readForm(
  headers: IncomingHttpHeaders & { 'content-type': string },
  raw: Readable,
  bytesMax: number,
): Promise<Upload | null> {
  const form = openForm(headers)
  const found = new Promise<Upload | null>((resolve, reject) => {
    form.on('file', (_field, stream, name) =>
      resolve({ name: name ?? '', content: bounded(stream, bytesMax) }),
    )
    form.on('finish', () => resolve(null))
    form.on('error', () => reject(invalid('form cannot be parsed')))
  })
  raw.on('error', (error) => form.destroy(error))
  raw.pipe(form)
  return found
}

function openForm(headers: IncomingHttpHeaders & { 'content-type': string }): BusboyInstance {
  try {
    return new Busboy({ headers, limits: FORM_LIMITS })
  } catch {
    throw invalid('form cannot be parsed')
  }
}

function bounded(stream: Readable, bytesMax: number): Readable {
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > bytesMax ? new Problem('too_large', 'file is too large') : null, chunk)
    },
  })
  stream.on('error', (error) => counted.destroy(error))
  // When the client disconnects early the upload is incomplete.
  once(stream, 'close').then(
    () => stream.readableEnded || counted.destroy(invalid('file upload was truncated')),
    () => undefined,
  )
  return stream.pipe(counted)
}
