/**
 * Static assets of pages: one style sheet, one sprite of icons, islands, which are TypeScript with types stripped, and
 * modules of libraries that islands import. All are served below one hash of everything, so browsers may cache them
 * forever and relative imports work as written. There is no build step: assets are assembled when the first page is
 * rendered.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Type } from 'typebox'
import { notFound } from '#platform/problem'
import { type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'
import { FRAME, FRAME_POLICY, readMermaid } from './diagrams.ts'
import { ICONS } from './icons.ts'
import { readModules, withRelativeImports } from './modules.ts'

interface Asset {
  readonly type: string
  readonly text: string
  readonly policy?: string
}

const FOLDER = join(import.meta.dirname, 'assets')
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'
const PICTURE = 'image/svg+xml'
const DOCUMENT = 'text/html; charset=utf-8'
const FOR_EVER = 'public, max-age=31536000, immutable'

interface Assets {
  readonly hash: string
  readonly files: ReadonlyMap<string, Asset>
}

let made: Assets | undefined

/** The path of an asset. */
export function assetPath(file: string): string {
  return `/-/assets/${assets().hash}/${file}`
}

function assets(): Assets {
  made ??= gather()
  return made
}

function gather(): Assets {
  const files = new Map<string, Asset>()
  const styles = namesIn('styles').map((name) => readFileSync(join(FOLDER, 'styles', name), 'utf8'))
  files.set('site.css', { type: STYLE, text: styles.join('\n') })
  files.set('icons.svg', { type: PICTURE, text: sprite() })
  for (const name of namesIn('islands')) {
    const source = readFileSync(join(FOLDER, 'islands', name), 'utf8')
    const script = quietly(() => stripTypeScriptTypes(source))
    files.set(`islands/${name}`, { type: SCRIPT, text: withRelativeImports(`islands/${name}`, script) })
  }
  for (const [name, text] of readModules()) files.set(name, { type: SCRIPT, text })
  files.set('modules/mermaid.js', { type: SCRIPT, text: readMermaid() })
  files.set('diagrams.html', { type: DOCUMENT, text: FRAME, policy: FRAME_POLICY })
  const hash = createHash('sha256')
  for (const [name, { text }] of files) hash.update(`${name}\0${text}\0`)
  return { hash: hash.digest('base64url').slice(0, 16), files }
}

/** Suppresses the experimental warning of `stripTypeScriptTypes`, which would appear at every start. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}

function namesIn(folder: string): string[] {
  return readdirSync(join(FOLDER, folder))
    .filter((name) => /\.(css|ts)$/.test(name) && !name.endsWith('.test.ts'))
    .sort()
}

/** Lucide icons, one symbol each. */
function sprite(): string {
  const folder = join(dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')), 'icons')
  const logo = readFileSync(join(FOLDER, 'icon.svg'), 'utf8')
  const own = `<symbol id="bloomery" viewBox="0 0 32 32">${innerOf(logo)}</symbol>`
  const symbols = ICONS.map((name) => {
    const drawn = readFileSync(join(folder, `${name}.svg`), 'utf8')
    return `<symbol id="${name}" viewBox="0 0 24 24">${innerOf(drawn)}</symbol>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${own}${symbols.join('')}</svg>`
}

function innerOf(drawn: string): string {
  const [, inner = ''] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(drawn) ?? []
  return inner
    .replace(/\s+/g, ' ')
    .replace(/<title>.*?<\/title>/, '')
    .trim()
}

/** The favicon, inlined into each page to save a request. */
export function tabPicture(): string {
  tab ??= `data:image/svg+xml,${encodeURIComponent(readFileSync(join(FOLDER, 'icon.svg'), 'utf8').trim())}`
  return tab
}

let tab: string | undefined

/** Compressed on first request, in another thread. */
const compressed = new Map<string, Promise<Buffer>>()
const brotli = promisify(brotliCompress)
/** Above this size the best compression takes seconds and gains few bytes. */
const LARGE = 1_000_000

function compress(key: string, encoding: 'br' | 'gzip', text: string): Promise<Buffer> {
  const name = `${encoding} ${key}`
  const quality = text.length > LARGE ? 5 : 9
  const bytes =
    compressed.get(name) ??
    (encoding === 'br'
      ? brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
      : promisify(gzip)(text))
  compressed.set(name, bytes)
  return bytes
}

export const assetRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'GET',
    path: '/-/assets/:hash/*file',
    operationId: 'webGetAsset',
    scopes: [],
    params: Type.Object({ hash: Type.String(), file: Type.String() }),
    open: () => ({}),
    handle: async ({ params, headers }) => answer(params.hash, params.file, headers['accept-encoding'] ?? ''),
  }),
]

/**
 * A request with another hash gets the current asset with `no-cache`: during an upgrade old and new nodes run side by
 * side.
 */
async function answer(hash: string, file: string, accepted: string | string[]): Promise<RawAnswer> {
  const all = assets()
  const asset = all.files.get(file)
  if (asset === undefined) throw notFound('asset', file)
  const encoding = /\bbr\b/.test(String(accepted))
    ? 'br'
    : /\bgzip\b/.test(String(accepted))
      ? 'gzip'
      : undefined
  const plain = {
    'content-type': asset.type,
    'cache-control': hash === all.hash ? FOR_EVER : 'no-cache',
    vary: 'Accept-Encoding',
    ...(asset.policy && { 'content-security-policy': asset.policy }),
  }
  if (encoding === undefined) return { status: 200, headers: plain, body: asset.text }
  return {
    status: 200,
    headers: { ...plain, 'content-encoding': encoding },
    body: await compress(file, encoding, asset.text),
  }
}
