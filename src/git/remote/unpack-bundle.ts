/**
 * Unpacks a git bundle into a bare repository that exists until it is disposed of, so that it is fetched and checked like
 * any other repository. A bundle may come from strangers.
 */
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { layOut } from '../cache/bare-repository.ts'
import { gitText } from '../command/run.ts'
import { HEADS, isRefName, TAGS } from '../refs/names.ts'
import type { ObjectFormat } from '../tables.ts'
import { FOLDER_ENVIRONMENT } from './fetch-folder.ts'
import { FETCH_FLAGS, FETCH_SETTINGS } from './publish-fetched.ts'

export interface UnpackedBundle extends AsyncDisposable {
  readonly path: string
  readonly objectFormat: ObjectFormat
  /** Names and objects of branches and tags, and of those further refs that point to commits. */
  readonly refs: ReadonlyMap<string, string>
}

const TIMEOUT_MS = 6 * 3_600_000
const START_BYTES = 4096
/** Versions of git before 2.46 check nothing of a bundle, so its objects are checked when they are fetched from here. */
const FETCH = {
  name: 'fetch',
  flags: FETCH_FLAGS,
  settings: { ...FETCH_SETTINGS, 'fetch.fsckObjects': 'false' },
}

/** `file` is absolute. `also`: patterns of refs to take besides branches and tags. */
export async function unpackBundle(
  ctx: Context,
  file: string,
  also: readonly string[],
): Promise<UnpackedBundle> {
  const objectFormat = await readFormat(file)
  const path = join(ctx.cache.scratch, `bundle-${randomUUID()}.git`)
  const dispose = () => rm(path, { recursive: true, force: true })
  try {
    await layOut(path, { object_format: objectFormat, head: 'refs/heads/main' })
    const patterns = [`${HEADS}*`, `${TAGS}*`, ...also].map((it) => `+${it}:${it}`)
    const options = { path, timeoutMs: TIMEOUT_MS, environment: FOLDER_ENVIRONMENT }
    await gitText(ctx, { ...FETCH, words: [file, ...patterns] }, options).catch((cause: unknown) => {
      ctx.signal.throwIfAborted()
      throw invalid('git bundle cannot be read', { failure: file, cause: String(cause).slice(0, 500) })
    })
    const listed = {
      name: 'for-each-ref',
      flags: ['--format=%(objecttype) %(objectname) %(refname)'] as const,
    }
    const refs = refsOf(await gitText(ctx, listed, options))
    return { path, objectFormat, refs, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Invariant: git gets no file that does not begin like a bundle; others could name a repository of this machine. */
async function readFormat(file: string): Promise<ObjectFormat> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
  const lines = buffer.subarray(0, bytesRead).toString('latin1').split('\n')
  if (lines[0] !== '# v2 git bundle' && lines[0] !== '# v3 git bundle')
    throw invalid('file is no git bundle', { failure: file })
  return lines.includes('@object-format=sha256') ? 'sha256' : 'sha1'
}

function refsOf(text: string): Map<string, string> {
  const refs = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [type, oid = '', name = ''] = line.split(' ')
    const isOwn = name.startsWith(HEADS) || name.startsWith(TAGS)
    if (isRefName(name) && (isOwn || type === 'commit')) refs.set(name, oid)
  }
  return refs
}
