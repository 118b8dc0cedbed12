/** Push side of the container registry: adds and deletes blobs and manifests. */
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { ReadablePackages, WritablePackages } from '../../access/open-packages.ts'
import { adopt, freeBlobs } from '../../blobs/adopt.ts'
import { type Compared, hasBytes, takeBytes, withStored } from '../../blobs/take-bytes.ts'
import { countAdded, lockUsage } from '../../blobs/usage.ts'
import { deleteVersionRows, deleteVersions, dropPackage } from '../../records/delete.ts'
import { insertFile } from '../../records/file-store.ts'
import { eventOf } from '../../records/publish.ts'
import {
  findPackage,
  findShown,
  holdPackage,
  holdVersion,
  lockPackage,
  lockToWrite,
} from '../../records/store.ts'
import type { BlobRow, PackageRow } from '../../tables.ts'
import { type ManifestFacts, type ReadManifest, readManifest } from './manifest.ts'
import { assertDigest, digestOf, isDigest, KIND, UPLOADS } from './names.ts'
import {
  countManifests,
  deleteFiles,
  findContent,
  findManifest,
  findWaiting,
  hasAnything,
  holdContents,
  insertContents,
  listSame,
  listStale,
} from './store.ts'

/** Longer than a client takes from the first layer to the manifest. */
const WAITS_MS = 24 * 3_600_000
const SWEPT_AT_ONCE = 500

/** Adds a blob to an image, where it waits for a manifest. */
export async function addContent(
  ctx: TxContext,
  packages: WritablePackages,
  image: string,
  content: (ctx: TxContext) => Promise<Pick<BlobRow, 'id' | 'bytes' | 'sha256'>>,
): Promise<void> {
  const pkg = await holdPackage(ctx.db, packages, KIND, image, ctx.now())
  const facts = { version: UPLOADS, metadata: {}, isInternal: true, creatorId: packages.actor.id }
  const { row } = await holdVersion(ctx.db, pkg, KIND, facts, ctx.now())
  await lockUsage(ctx.db, pkg.owner_id)
  const blob = await content(ctx)
  await countAdded(ctx, pkg.owner_id, blob)
  const file = { version_id: row.id, blob_id: blob.id, name: digestOf(blob), created_at: ctx.now() }
  // Adding the same content twice is not an error.
  await insertFile(ctx.db, file)
}

/** Mounts a blob from an image that the caller may read; false if the blob or its object does not exist. */
export async function mount(
  ctx: Context,
  packages: WritablePackages,
  image: string,
  from: { readonly packages: ReadablePackages; readonly image: string; readonly digest: string },
): Promise<boolean> {
  const known = await findPackage(ctx.db, from.packages, KIND, from.image)
  const seen = known && (await findContent(ctx.db, known.id, from.digest))
  if (seen === undefined || !(await hasBytes(ctx, seen))) return false
  return transact(ctx, async (ctx) => {
    const source = await findPackage(ctx.db, from.packages, KIND, from.image)
    const [blob] = source === undefined ? [] : await holdContents(ctx.db, source.id, [from.digest])
    if (blob === undefined) return false
    await addContent(ctx, packages, image, async () => blob)
    return true
  })
}

/** Stores a manifest under its digest, and moves the tag to it if it is pushed by tag. */
export async function putManifest(
  ctx: Context,
  packages: WritablePackages,
  image: string,
  reference: string,
  sent: { readonly bytes: Buffer; readonly type: string | undefined },
): Promise<ManifestFacts> {
  const manifest = readManifest(sent.bytes, sent.type)
  const stored = await takeBytes(ctx, sent.bytes, isDigest(reference) ? assertDigest(reference) : undefined)
  const facts = {
    ...manifest.facts,
    digest: isDigest(reference) ? reference : digestOf(stored),
    size: stored.bytes,
  }
  await withStored(ctx, stored, (compared) =>
    transact(ctx, (ctx) => addManifest(ctx, packages, image, reference, { ...manifest, facts }, compared)),
  )
  return facts
}

interface Whole extends ReadManifest {
  readonly facts: ManifestFacts
}

async function addManifest(
  ctx: TxContext,
  packages: WritablePackages,
  image: string,
  reference: string,
  { facts, blobs }: Whole,
  stored: Compared,
): Promise<void> {
  const now = ctx.now()
  const pkg = await holdPackage(ctx.db, packages, KIND, image, now, { isAlone: true })
  const contents = await holdContents(ctx.db, pkg.id, blobs)
  if (contents.length < blobs.length)
    throw unknown('MANIFEST_BLOB_UNKNOWN', 'content of the manifest is unknown')
  const { children = [] } = facts
  if ((await countManifests(ctx.db, pkg.id, children)) < children.length)
    throw unknown('MANIFEST_BLOB_UNKNOWN', 'manifest of the index is unknown')
  await lockUsage(ctx.db, pkg.owner_id)
  const bytes = await adopt(ctx, stored)
  await countAdded(ctx, pkg.owner_id, bytes)
  const add = async (version: string, isInternal: boolean) => {
    const wanted = { version, metadata: { ...facts }, isInternal, creatorId: packages.actor.id }
    const { row, isNew } = await holdVersion(ctx.db, pkg, KIND, wanted, now)
    if (isNew) await insertContents(ctx.db, row.id, bytes, contents, now)
    if (isNew && !isInternal) await emit(ctx, 'package.created', eventOf(pkg, row, packages.actor.id))
  }
  await add(facts.digest, true)
  if (!isDigest(reference)) {
    await removeOther(ctx, pkg, reference, facts.digest)
    await add(reference, false)
  }
}

/** Removes the tag from another manifest. */
async function removeOther(ctx: TxContext, pkg: PackageRow, tag: string, digest: string): Promise<void> {
  const there = await findManifest(ctx.db, pkg.id, tag)
  if (there !== undefined && there.metadata.digest !== digest)
    await deleteVersionRows(ctx, [there.version_id])
}

/** Deletes a tag alone, or a manifest with all its tags. */
export async function deleteManifest(
  ctx: Context,
  packages: WritablePackages,
  image: string,
  reference: string,
): Promise<void> {
  await changeImage(ctx, packages, image, async (ctx, pkg) => {
    const same = isDigest(reference) ? await listSame(ctx.db, pkg.id, reference) : []
    const names = isDigest(reference)
      ? same.filter((it) => !it.is_internal).map((it) => it.version)
      : [reference]
    const shown = await Promise.all(names.map((name) => findShown(ctx.db, pkg.id, name)))
    const tags = shown.filter((it) => it !== undefined)
    if (same.length + tags.length === 0) throw unknown('MANIFEST_UNKNOWN', 'manifest is unknown')
    await deleteVersions(ctx, tags, packages.actor.id)
    await deleteVersionRows(
      ctx,
      same.filter((it) => it.is_internal).map(({ id }) => id),
    )
  })
}

/** Content that a manifest requires is not deleted. */
export async function deleteContent(
  ctx: Context,
  packages: WritablePackages,
  image: string,
  digest: string,
): Promise<void> {
  await changeImage(ctx, packages, image, async (ctx, pkg) => {
    const waiting = await findWaiting(ctx.db, pkg.id, digest)
    if (waiting === undefined) throw unknown('BLOB_UNKNOWN', 'blob is unknown')
    if (waiting.isNeeded) throw new Problem('method_not_allowed', 'blob is part of a manifest')
    await freeBlobs(ctx, pkg.owner_id, await deleteFiles(ctx.db, [waiting.id]))
  })
}

export async function getContent(ctx: Context, packageId: number, digest: string) {
  const blob = await findContent(ctx.db, packageId, digest)
  if (blob === undefined) throw unknown('BLOB_UNKNOWN', 'blob is unknown')
  return blob
}

/** Deletes content that never got a manifest, and images that are empty. */
export async function sweepContent(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - WAITS_MS)
  for (let swept = SWEPT_AT_ONCE; swept === SWEPT_AT_ONCE; ) {
    const stale = await listStale(ctx.db, before, SWEPT_AT_ONCE)
    for (const [packageId, files] of Map.groupBy(stale, ({ package_id }) => package_id))
      await transact(ctx, async (ctx) => {
        const pkg = await lockPackage(ctx.db, packageId)
        if (pkg === undefined) return
        const ids = files.map(({ id }) => id)
        await freeBlobs(ctx, pkg.owner_id, await deleteFiles(ctx.db, ids))
        if (!(await hasAnything(ctx.db, packageId))) await dropPackage(ctx, packageId)
      })
    swept = stale.length
  }
}

async function changeImage(
  ctx: Context,
  packages: WritablePackages,
  image: string,
  work: (ctx: TxContext, pkg: PackageRow) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const pkg = await lockToWrite(ctx.db, packages, KIND, image)
    if (pkg === undefined) throw unknown('NAME_UNKNOWN', 'repository is unknown')
    await work(ctx, pkg)
  })
}

export function unknown(code: string, message: string): Problem {
  return new Problem('not_found', message, { code })
}
