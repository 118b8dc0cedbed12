/** Sends a document: complete or streamed, compressed, with an ETag. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { constants, createGzip, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { currentLanguage, type Html, keepLanguage, type Rendered } from '#platform/page'
import { cacheControl } from '#platform/rest'

const HTML_TYPE = 'text/html; charset=utf-8'
const REGION = 'x-region'
/** A low level gives most of the compression, and pages are compressed on every request. */
const LEVEL = 3

const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  // Speculation rules are inline and run no code.
  'script-src': "'self' 'inline-speculation-rules'",
  'style-src': "'self'",
  'style-src-attr': "'unsafe-inline'",
  'img-src': "'self' data: https:",
  'connect-src': "'self'",
  // Of all documents only the one that draws diagrams can be framed.
  'frame-src': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'manifest-src': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'bloomery',
}

/** The Content-Security-Policy, with the additions of one page. */
function policyOf(more: Rendered['policy']): string {
  return more === undefined ? COMMON_POLICY : writePolicy(more)
}

const COMMON_POLICY = writePolicy({})

function writePolicy(more: NonNullable<Rendered['policy']>): string {
  return Object.entries(POLICY)
    .map(([name, sources]) => `${name} ${sources}${more[name] === undefined ? '' : ` ${more[name]}`}`)
    .join('; ')
}

export function sendDocument(reply: FastifyReply, document: Html, shown: Rendered): FastifyReply {
  const { headers, visitor } = reply.request
  const asked = headers[REGION]
  const language = currentLanguage()
  const found = typeof asked === 'string' ? document.find(asked) : undefined
  reply.code(shown.status ?? 200).headers({
    'content-type': HTML_TYPE,
    'content-security-policy': policyOf(shown.policy),
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    // The browser revalidates each time, so a cached page is never shown to the next user of the same browser.
    'cache-control': cacheControl(visitor, shown.isFixed === true) ?? 'private, no-cache',
    vary: 'Authorization, Cookie, Accept-Encoding, Accept-Language, X-Region',
    ...(language && { 'content-language': language.tag }),
  })
  const chunks: (string | AsyncIterable<Html>)[] = []
  ;(found ?? document).write(chunks)
  const isGzip = /\bgzip\b/.test(headers['accept-encoding'] ?? '')
  if (chunks.every((it) => typeof it === 'string')) return sendWhole(reply, chunks.join(''), isGzip)
  const text = Readable.from(keepLanguage(write(chunks)))
  if (!isGzip) return reply.send(text)
  reply.header('content-encoding', 'gzip')
  const zipped = createGzip({ level: LEVEL, flush: constants.Z_SYNC_FLUSH })
  text.on('error', (error) => zipped.destroy(error))
  return reply.send(text.pipe(zipped))
}

function sendWhole(reply: FastifyReply, text: string, isGzip: boolean): FastifyReply {
  if (reply.statusCode === 200) {
    const tag = `W/"${createHash('sha1').update(text).digest('base64url')}"`
    reply.header('etag', tag)
    if (reply.request.headers['if-none-match'] === tag) return reply.code(304).send()
  }
  if (!isGzip) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(gzipSync(text, { level: LEVEL }))
}

async function* write(chunks: readonly (string | AsyncIterable<Html>)[]): AsyncGenerator<string> {
  let text = ''
  for (const chunk of chunks) {
    if (typeof chunk === 'string') {
      text += chunk
      continue
    }
    if (text !== '') yield text
    text = ''
    for await (const part of chunk) {
      const inner: (string | AsyncIterable<Html>)[] = []
      part.write(inner)
      yield* write(inner)
    }
  }
  if (text !== '') yield text
}
