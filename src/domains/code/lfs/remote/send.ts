/** Sends objects to the LFS server of another site: for push mirrors. */
import type { StorageId } from '#git'
import type { Context } from '#platform/context'
import { readNamed } from '#platform/lost-object'
import { invalid, Problem } from '#platform/problem'
import { findOwnerOf, listLinkedSince } from '../objects/store.ts'
import { lfsKey } from '../objects/take.ts'
import type { ObjectRow } from '../tables.ts'
import { JSON_TYPE } from '../wire.ts'
import { askRemote, BATCH_MAX, headersFor, type RemoteLfs, type RemoteObject } from './remote-batch.ts'

/** Of links that a transaction was inserting while the last push ran. */
const OVERLAP_MS = 3_600_000

export interface Sending {
  readonly storageId: StorageId
  /** Called only if there is something to send: an address that git refuses has no LFS server. */
  readonly findRemote: () => RemoteLfs
  /** Of the last push that succeeded: objects from before are there. */
  readonly since: Date | null
  readonly timeoutMs: number
}

/** Asks which objects the remote lacks, and sends these. A repository without objects asks nothing. */
export async function sendObjects(
  ctx: Context,
  { storageId, findRemote, since, timeoutMs }: Sending,
): Promise<void> {
  const after = new Date((since?.getTime() ?? OVERLAP_MS) - OVERLAP_MS)
  for (let last = 0; ; ) {
    const objects = await listLinkedSince(ctx.db, storageId, { after, last, limit: BATCH_MAX })
    if (objects.length === 0) return
    last = objects.at(-1)?.id ?? last
    const remote = findRemote()
    const byOid = new Map(objects.map((object) => [object.oid, object]))
    const pointers = objects.map(({ oid, bytes }) => ({ oid, size: bytes }))
    for (const answer of await askRemote(ctx, remote, 'upload', pointers)) {
      const object = byOid.get(answer.pointer.oid)
      if (object !== undefined) await sendObject(ctx, remote, object, answer, timeoutMs)
    }
  }
}

async function sendObject(
  ctx: Context,
  remote: RemoteLfs,
  object: ObjectRow,
  { pointer, actions, errorCode }: RemoteObject,
  timeoutMs: number,
): Promise<void> {
  if (errorCode !== undefined)
    throw invalid('Git LFS server of the remote refused an object', { code: errorCode })
  const { upload, verify } = actions ?? {}
  if (!upload) return
  const findOwner = () => findOwnerOf(ctx.db, object, object.oid)
  const { body: stream } = await readNamed(ctx, lfsKey(object.key), findOwner, { signal: ctx.signal })
  const common = { timeoutMs, signal: ctx.signal }
  try {
    const { status } = await ctx.outbound.request({
      ...common,
      method: 'PUT',
      url: upload.href,
      headers: { 'content-type': 'application/octet-stream', ...headersFor(remote, upload) },
      upload: { stream, bytes: object.bytes },
      redirectsMax: 0,
    })
    if (status >= 300)
      throw new Problem('unavailable', 'Git LFS server of the remote took no object', { status })
  } finally {
    stream.destroy()
  }
  if (!verify) return
  const { status } = await ctx.outbound.request({
    ...common,
    method: 'POST',
    url: verify.href,
    headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...headersFor(remote, verify) },
    body: JSON.stringify(pointer),
  })
  if (status >= 300)
    throw new Problem('unavailable', 'Git LFS server of the remote lost an object', { status })
}
