/** The batch request: which objects a client may download, and which it must upload. */
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import type { Readable, Writable } from '../access/open-lfs.ts'
import type { Operation } from '../access/ssh-bearer.ts'
import type { ObjectRow } from '../tables.ts'
import { type Pointer, pointerOf } from '../wire.ts'
import { linkFromNetwork, renewLinked } from './link.ts'
import { findLinked } from './store.ts'

/** Clients send a hundred at once. */
const OBJECTS_MAX = 1_000

export interface BatchRequest {
  readonly operation: Operation
  /** As they were sent: one that is no pointer gets an error of its own. */
  readonly objects: readonly Readonly<Record<string, unknown>>[]
}

/** What is to be done with an object: `noop` if the repository has it. */
export type Decision =
  | { readonly pointer: Pointer; readonly action: 'noop' }
  | { readonly pointer: Pointer; readonly action: 'download'; readonly object: ObjectRow }
  | { readonly pointer: Pointer; readonly action: 'upload' }
  | {
      readonly named: Readonly<Record<string, unknown>>
      readonly error: { readonly code: number; readonly message: string }
    }

export function readBatch(body: Readonly<Record<string, unknown>>): BatchRequest {
  const { operation, objects, hash_algo = 'sha256', transfers = ['basic'] } = body
  if (operation !== 'download' && operation !== 'upload') throw invalid('unknown operation')
  if (hash_algo !== 'sha256') throw new Problem('conflict', 'only the hash algorithm sha256 is supported')
  if (!Array.isArray(transfers) || (transfers.length > 0 && !transfers.includes('basic')))
    throw invalid('only basic transfers are supported')
  if (!Array.isArray(objects)) throw invalid('objects are missing')
  if (objects.length > OBJECTS_MAX)
    throw new Problem('too_large', `a batch may have ${OBJECTS_MAX} objects`, { objectsMax: OBJECTS_MAX })
  if (!objects.every((it) => typeof it === 'object' && it !== null)) throw invalid('object is not an object')
  return { operation, objects }
}

export async function decideDownloads(
  ctx: Context,
  { repo }: Readable,
  { objects }: BatchRequest,
): Promise<Decision[]> {
  const linked = byOid(await findLinked(ctx.db, repo.storage_id, oidsOf(objects)))
  return objects.map((named) => {
    const pointer = pointerOf(named)
    if (pointer === undefined) return refused(named, 422, 'invalid oid or size')
    const object = linked.get(pointer.oid)
    if (object === undefined) return refused(named, 404, 'object does not exist')
    if (object.bytes !== pointer.size) return refused(named, 422, `object is not ${pointer.size} bytes long`)
    return { pointer, action: 'download', object }
  })
}

/** An object that the repository is not linked to must be uploaded, even if other repositories have it. */
export async function decideUploads(
  ctx: Context,
  opened: Writable,
  { objects }: BatchRequest,
): Promise<Decision[]> {
  const bytesMax = ctx.config['lfs.object_bytes_max']
  const found = await findLinked(ctx.db, opened.repo.storage_id, oidsOf(objects))
  const linked = byOid(await renewLinked(ctx, opened.repo, found))
  const missing = pointersIn(objects).filter(({ oid }) => !linked.has(oid))
  const added = byOid(await linkFromNetwork(ctx, opened, missing))
  return objects.map((named) => {
    const pointer = pointerOf(named)
    if (pointer === undefined) return refused(named, 422, 'invalid oid or size')
    const object = linked.get(pointer.oid) ?? added.get(pointer.oid)
    if (object !== undefined && object.bytes !== pointer.size)
      return refused(named, 422, `object is not ${pointer.size} bytes long`)
    if (object !== undefined) return { pointer, action: 'noop' }
    if (pointer.size > bytesMax) return refused(named, 413, `object is larger than ${bytesMax} bytes`)
    return { pointer, action: 'upload' }
  })
}

function refused(named: Readonly<Record<string, unknown>>, code: number, message: string): Decision {
  return { named, error: { code, message } }
}

function pointersIn(objects: BatchRequest['objects']): Pointer[] {
  return objects.map(pointerOf).filter((it) => it !== undefined)
}

function oidsOf(objects: BatchRequest['objects']): string[] {
  return [...new Set(pointersIn(objects).map(({ oid }) => oid))]
}

function byOid(rows: readonly ObjectRow[]): ReadonlyMap<string, ObjectRow> {
  return new Map(rows.map((row) => [row.oid, row]))
}
