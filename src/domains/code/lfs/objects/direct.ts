/**
 * Transfers between clients and the object store: batches give addresses that are signed for one object and a short time. An
 * upload becomes an object when it is verified: the store must have the announced bytes under the key of that address.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type Context, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { readNamed } from '#platform/lost-object'
import type { ObjectStore } from '#platform/object-store'
import { invalid } from '#platform/problem'
import type { Writable } from '../access/open-lfs.ts'
import type { ObjectRow } from '../tables.ts'
import { isOid, type Pointer } from '../wire.ts'
import { linkObjects } from './link.ts'
import { adoptObject, lfsKey } from './take.ts'

/** An address is valid for everybody who has it, so a reader who loses access keeps it for this long. */
const READS_S = 600
const WRITES_S = 3_600
/** Less than announced bytes are kept. */
const VERIFIED_MS = 12 * 3_600_000
const PURPOSE = 'lfs upload'

/** An upload that a batch gave an address for. */
interface Ordered {
  readonly key: string
  readonly repositoryId: number
  readonly oid: string
  readonly size: number
  readonly untilMs: number
}

export interface DirectUpload {
  readonly href: string
  readonly header: Readonly<Record<string, string>>
  readonly seconds: number
  /** Names the upload to the verification, and cannot be made up. */
  readonly ticket: string
}

/** Undefined if clients must use the node. */
async function directOf({ config, store }: Context): Promise<NonNullable<ObjectStore['direct']> | undefined> {
  const { direct } = store
  return config['lfs.direct'] && direct !== undefined && (await direct.verifiesDigests()) ? direct : undefined
}

/** By object; those that are too large for one request are missing. */
export async function orderUploads(
  ctx: Context,
  { repo }: Writable,
  pointers: readonly Pointer[],
): Promise<ReadonlyMap<string, DirectUpload>> {
  const direct = pointers.length === 0 ? undefined : await directOf(ctx)
  if (direct === undefined) return new Map()
  const at = ctx.now()
  const orders = pointers.flatMap(({ oid, size }) => {
    const key = randomUUID()
    const address = direct.createAddress(lfsKey(key), { bytes: size, sha256: oid, at, seconds: WRITES_S })
    if (address === undefined) return []
    const ordered: Ordered = {
      key,
      repositoryId: repo.id,
      oid,
      size,
      untilMs: at.getTime() + VERIFIED_MS,
    }
    const ticket = ctx.seal.seal(PURPOSE, JSON.stringify(ordered))
    return [{ oid, key, upload: { href: address.url, header: address.headers, seconds: WRITES_S, ticket } }]
  })
  // Before the clients have the addresses, so that bytes that are never verified are deleted.
  await transact(ctx, (ctx) =>
    discardObjects(
      ctx,
      orders.map(({ key }) => lfsKey(key)),
    ),
  )
  return new Map(orders.map(({ oid, upload }) => [oid, upload]))
}

/** By object. */
export async function directDownloads(
  ctx: Context,
  objects: readonly ObjectRow[],
): Promise<ReadonlyMap<string, { readonly href: string; readonly seconds: number }>> {
  const direct = objects.length === 0 ? undefined : await directOf(ctx)
  if (direct === undefined) return new Map()
  const times = { at: ctx.now(), seconds: READS_S }
  return new Map(
    objects.map(({ oid, key }) => [
      oid,
      { href: direct.readAddress(lfsKey(key), times), seconds: times.seconds },
    ]),
  )
}

/** Links the repository to what a client has stored at the address of its ticket. */
export async function acceptUpload(
  ctx: Context,
  opened: Writable,
  pointer: Pointer,
  ticket: string,
): Promise<void> {
  const ordered = read(ctx, ticket)
  if (
    ordered?.repositoryId !== opened.repo.id ||
    ordered.oid !== pointer.oid ||
    ordered.size !== pointer.size ||
    ordered.untilMs <= ctx.now().getTime()
  )
    throw invalid('upload is of another object, or too old')
  const stored = await ctx.store.stat(lfsKey(ordered.key))
  if (stored === undefined) throw invalid('object was not uploaded')
  if (stored.bytes !== pointer.size || (await digestOf(ctx, ordered.key)) !== pointer.oid)
    throw invalid('object does not match its pointer')
  await adoptObject(ctx, pointer, ordered.key, (ctx, object) => linkObjects(ctx, opened.repo, [object]))
}

/** As the store verified it; read by the node if the store keeps no digest. */
async function digestOf(ctx: Context, key: string): Promise<string> {
  const known = await ctx.store.direct?.sha256Of(lfsKey(key))
  if (isOid(known)) return known
  const hash = createHash('sha256')
  const { body } = await readNamed(ctx, lfsKey(key), async () => undefined, { signal: ctx.signal })
  for await (const chunk of body as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

function read(ctx: Context, ticket: string): Ordered | undefined {
  try {
    return JSON.parse(ctx.seal.open(PURPOSE, ticket)) as Ordered
  } catch {
    return undefined
  }
}
