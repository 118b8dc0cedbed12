/** Brings the objects of a remote: for imports and pull mirrors. Each is stored and linked by itself, so a later run goes on. */
import { PassThrough, type Readable } from 'node:stream'
import type { StorageId } from '#git'
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { findLinked } from '../objects/store.ts'
import { type LinkObject, storeObject } from '../objects/take.ts'
import type { Pointer } from '../wire.ts'
import { askRemote, BATCH_MAX, headersFor, type RemoteAction, type RemoteLfs } from './remote-batch.ts'

const OIDS_AT_ONCE = 1_000
const DOWNLOADS_AT_ONCE = 4
const TRIES_MAX = 3
const GONE = new Set([404, 410])

export interface Bringing {
  readonly storageId: StorageId
  readonly remote: RemoteLfs
  /** Sizes by object. */
  readonly sizes: ReadonlyMap<string, number>
  /** Of all objects that are missing here. */
  readonly bytesMax: number
  /** For one object, and for all of them together. */
  readonly timeoutMs: number
  readonly link: LinkObject
}

/** Objects that the remote does not have, or that are larger than any object here may be, are left out as at Gitea. */
export async function bringObjects(ctx: Context, bringing: Bringing): Promise<void> {
  const missing = await findMissing(ctx, bringing)
  const wanted = missing.filter(({ size }) => size <= ctx.config['lfs.object_bytes_max'])
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  if (bytes > bringing.bytesMax)
    throw invalid('Migration failed: Git LFS objects of the remote are too large', { bytes })
  const deadline = AbortSignal.timeout(bringing.timeoutMs)
  const bounded = { ...ctx, signal: AbortSignal.any([ctx.signal, deadline]) }
  let skipped = missing.length - wanted.length
  try {
    for (let i = 0; i < wanted.length; i += BATCH_MAX)
      skipped += await bringBatch(bounded, bringing, wanted.slice(i, i + BATCH_MAX))
  } catch (error) {
    if (deadline.aborted) throw new Problem('unavailable', 'Git LFS server of the remote is too slow')
    throw error
  }
  if (skipped > 0)
    ctx.log.warn({ 'git.storage': bringing.storageId, 'lfs.objects': skipped }, 'lfs objects not imported')
}

async function findMissing(ctx: Context, { storageId, sizes }: Bringing): Promise<Pointer[]> {
  const missing: Pointer[] = []
  const oids = [...sizes.keys()]
  for (let i = 0; i < oids.length; i += OIDS_AT_ONCE) {
    const some = oids.slice(i, i + OIDS_AT_ONCE)
    const linked = new Set((await findLinked(ctx.db, storageId, some)).map(({ oid }) => oid))
    missing.push(...some.filter((oid) => !linked.has(oid)).map((oid) => ({ oid, size: sizes.get(oid) ?? 0 })))
  }
  return missing
}

/** Returns the number of objects that the remote does not have. */
async function bringBatch(ctx: Context, bringing: Bringing, pointers: readonly Pointer[]): Promise<number> {
  const answers = await askRemote(ctx, bringing.remote, 'download', pointers)
  const downloads = answers.flatMap(({ pointer, actions, errorCode }) => {
    const action = actions?.download ?? undefined
    if (errorCode !== undefined && !GONE.has(errorCode))
      throw invalid('Git LFS server of the remote refused an object', { code: errorCode })
    return action === undefined ? [] : [{ pointer, action }]
  })
  const left = [...downloads]
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      await bringObject(ctx, bringing, next.pointer, next.action)
  }
  const ended = await Promise.allSettled(Array.from({ length: DOWNLOADS_AT_ONCE }, work))
  const failed = ended.find((it) => it.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return pointers.length - downloads.length
}

async function bringObject(
  ctx: Context,
  bringing: Bringing,
  pointer: Pointer,
  action: RemoteAction,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await download(ctx, bringing, pointer, action)
    } catch (error) {
      const isAgain = error instanceof Problem && error.kind === 'unavailable' && tries < TRIES_MAX
      if (!isAgain || ctx.signal.aborted) throw error
    }
  }
}

/** The bytes flow into the store; nothing is linked unless they are those of the pointer. */
async function download(
  ctx: Context,
  { remote, link, timeoutMs }: Bringing,
  pointer: Pointer,
  action: RemoteAction,
): Promise<void> {
  const pass = new PassThrough()
  pass.on('error', () => undefined)
  const failing = (error: unknown): never => {
    pass.destroy(error instanceof Error ? error : undefined)
    throw error
  }
  const asking = ctx.outbound
    .request({
      method: 'GET',
      url: action.href,
      headers: headersFor(remote, action),
      answerBytesMax: pointer.size,
      timeoutMs,
      signal: ctx.signal,
      into: pass,
    })
    .then(({ status }) => {
      if (status !== 200) throw invalid('Git LFS server of the remote did not send an object', { status })
    })
    .catch(failing)
  const storing = storeObject(ctx, pointer, pass as Readable, link).catch(failing)
  const [asked, stored] = await Promise.allSettled([asking, storing])
  if (stored.status === 'rejected' && isMismatch(stored.reason)) throw stored.reason
  if (asked.status === 'rejected') throw asked.reason
  if (stored.status === 'rejected') throw stored.reason
}

/** Says more than the connection that was ended for it. */
function isMismatch(error: unknown): boolean {
  return error instanceof Problem && (error.kind === 'invalid' || error.kind === 'too_large')
}
