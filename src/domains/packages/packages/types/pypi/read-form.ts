/** Parses the form of twine: metadata fields, and the file, which is streamed to the store. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { giveUp, type Stored, takeBytes } from '../../blobs/take-bytes.ts'

/** Descriptions can be long, and classifiers many. */
const LIMITS = { files: 1, fields: 500, fieldSize: 1_048_576, fieldNameSize: 255, parts: 501 }

export interface PypiForm {
  readonly fields: ReadonlyMap<string, string>
  readonly file: { readonly name: string; readonly stored: Stored }
}

export async function readForm(
  ctx: Context,
  headers: IncomingHttpHeaders,
  stream: Readable | null,
): Promise<PypiForm> {
  if (stream === null) throw malformed()
  const form = openForm(headers)
  const fields = new Map<string, string>()
  let taking: Promise<PypiForm['file']> | undefined
  let taken: Readable | undefined
  const read = new Promise<void>((resolve, reject) => {
    form.on('field', (name, value) => {
      if (!fields.has(name)) fields.set(name, value)
    })
    form.on('file', (_field, content, name = '') => {
      taken = content
      // Registered before reading begins: an unhandled error event would end the process.
      content.on('error', () => reject(malformed()))
      content.on('limit', () => reject(malformed()))
      taking = takeBytes(ctx, content).then((stored) => ({ name, stored }))
      // A failed file ends the form at once.
      taking.catch(reject)
    })
    form.on('finish', resolve)
    form.on('error', () => reject(malformed()))
    stream.on('error', () => reject(malformed()))
    stream.on('close', () => stream.readableEnded || reject(malformed()))
  })
  stream.pipe(form)
  try {
    await read
  } catch (error) {
    stream.unpipe(form)
    form.destroy()
    // Otherwise the reader would wait for the rest.
    taken?.destroy(malformed())
    await taking?.then(
      ({ stored }) => giveUp(ctx, [stored.key]),
      () => undefined,
    )
    throw error
  }
  const file = await taking
  if (file === undefined) throw new Problem('malformed', 'a file is required')
  return { fields, file }
}

function openForm(headers: IncomingHttpHeaders) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: LIMITS,
    })
  } catch {
    throw malformed()
  }
}

function malformed(): Problem {
  return new Problem('malformed', 'form cannot be parsed')
}
