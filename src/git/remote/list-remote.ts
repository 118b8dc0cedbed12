/** Lists a remote: its refs, the target of its HEAD, and its object format. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { layOut } from '../cache/bare-repository.ts'
import { gitText } from '../command/run.ts'
import { OID_DIGITS } from '../storage/storage.ts'
import type { ObjectFormat } from '../tables.ts'
import { environmentFor, explainRemote, type Remote } from './remote.ts'

export interface Offer {
  readonly objectFormat: ObjectFormat
  /** The full name of the branch; null when the remote does not send it. */
  readonly head: string | null
  readonly refs: ReadonlyMap<string, string>
}

const LIST_TIMEOUT_MS = 120_000
/** Enough for hundreds of thousands of refs; the output is read into memory. */
const LIST_BYTES_MAX = 32 * 1024 * 1024

export async function listRemote(ctx: Context, remote: Remote): Promise<Offer> {
  const path = join(ctx.cache.scratch, `asking-${randomUUID()}.git`)
  try {
    await layOut(path, { object_format: 'sha1', head: 'refs/heads/main' })
    const environment = await environmentFor(ctx, remote)
    const command = { name: 'ls-remote', flags: ['--symref', '--quiet'] as const, words: [remote.url] }
    const options = { path, timeoutMs: LIST_TIMEOUT_MS, outputBytesMax: LIST_BYTES_MAX }
    const text = await gitText(ctx, command, { ...options, environment }).catch(tooMany)
    return readOffer(text)
  } catch (error) {
    throw explainRemote(error)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

function tooMany(error: unknown): never {
  if (error instanceof Problem && error.kind === 'too_large')
    throw invalid('Migration failed: remote has too many refs')
  throw error
}

/** A line is `oid TAB name`, or `ref: name TAB HEAD` for the target of HEAD. */
function readOffer(text: string): Offer {
  const refs = new Map<string, string>()
  let head: string | null = null
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t')
    if (value.startsWith('ref: ') && name === 'HEAD') head = value.slice('ref: '.length)
    else if (name.startsWith('refs/') && !name.endsWith('^{}')) refs.set(name, value)
  }
  const [first] = refs.values()
  const objectFormat = first?.length === OID_DIGITS.sha256 ? 'sha256' : 'sha1'
  if (first !== undefined && first.length !== OID_DIGITS[objectFormat])
    throw invalid('Migration failed: remote uses an unknown object format')
  return { objectFormat, head, refs }
}
