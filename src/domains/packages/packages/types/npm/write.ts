/** npm verbs: publish, deprecate and unpublish versions, set tags. */
import type { Readable } from 'node:stream'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { WritablePackages } from '../../access/open-packages.ts'
import { giveUp, readWhole, type Stored, takeBytes } from '../../blobs/take-bytes.ts'
import { deletePackage, deleteVersions, dropIfEmpty } from '../../records/delete.ts'
import { listVersionFiles } from '../../records/file-store.ts'
import { publish } from '../../records/publish.ts'
import { findShown, lockToWrite, selectShownOf } from '../../records/store.ts'
import type { PackageRow } from '../../tables.ts'
import { missing } from '../registry-route.ts'
import { PARTIAL, revisionOf } from './document.ts'
import { assertTag, fileOf, KIND } from './names.ts'
import { type Document, readDocument, versionOf } from './publication.ts'
import { splitPublication } from './split-publication.ts'
import { deprecateVersions, mergeTags, removeTag } from './store.ts'

const DOCUMENT_BYTES_MAX = 33_554_432

export async function publishDocument(
  ctx: Context,
  packages: WritablePackages,
  name: string,
  stream: Readable | null,
): Promise<void> {
  if (stream === null) throw new Problem('malformed', 'package document is missing')
  const { text, taken } = await splitPublication(chunksOf(stream), (content) => takeBytes(ctx, content))
  if (taken === undefined) return deprecate(ctx, packages, name, readDocument(text))
  const { version, metadata, tags } = await announced(ctx, text, name, taken)
  await publish(ctx, packages, taken, {
    kind: KIND,
    name,
    version,
    metadata,
    file: fileOf(name, version),
    isWholeVersion: true,
    also: (ctx, pkg) => mergeTags(ctx.db, pkg.id, tags),
  })
}

/** The document is complete only after the bytes are stored; if it does not match them, they are discarded. */
async function announced(ctx: Context, text: string, name: string, taken: Stored) {
  try {
    const found = versionOf(readDocument(text), name)
    found.check(taken)
    return found
  } catch (error) {
    await giveUp(ctx, [taken.key])
    throw error
  }
}

async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch {
    throw new Problem('malformed', 'request cannot be read')
  }
}

/** A document without attachments deprecates versions. */
function deprecate(
  ctx: Context,
  packages: WritablePackages,
  name: string,
  { versions }: Document,
): Promise<void> {
  return change(ctx, packages, name, async (ctx, pkg) => {
    const said = Object.entries(versions).flatMap(([version, { deprecated }]) =>
      typeof deprecated === 'string' && deprecated.length <= 1_024 ? [[version, deprecated]] : [],
    )
    await deprecateVersions(ctx.db, pkg.id, Object.fromEntries(said))
  })
}

/** Deletes the versions that the document lacks. Refused unless the client has the current revision. */
export async function changeDocument(
  ctx: Context,
  packages: WritablePackages,
  name: string,
  revision: string,
  stream: Readable | null,
): Promise<void> {
  const { versions } = readDocument((await readWhole(stream, DOCUMENT_BYTES_MAX)).toString('utf8'))
  await change(ctx, packages, name, async (ctx, pkg) => {
    if (revision.endsWith(PARTIAL))
      throw new Problem('precondition', 'package has too many versions: delete them one by one')
    if (revisionOf(pkg, await listVersionFiles(ctx.db, pkg.id)) !== revision)
      throw new Problem('conflict', 'package was changed concurrently, please try again')
    const there = await selectShownOf(ctx.db, pkg.id).execute()
    const gone = there.filter(({ version }) => !Object.hasOwn(versions, version))
    await deleteVersions(ctx, gone, packages.actor.id)
    await dropIfEmpty(ctx, pkg.id)
  })
}

export function unpublish(ctx: Context, packages: WritablePackages, name: string): Promise<void> {
  return change(ctx, packages, name, (ctx, pkg) => deletePackage(ctx, pkg.id, packages.actor.id))
}

/** Does nothing if the version is gone: clients first remove it from the document. */
export function unpublishVersion(
  ctx: Context,
  packages: WritablePackages,
  name: string,
  version: string,
): Promise<void> {
  return change(ctx, packages, name, async (ctx, pkg) => {
    const found = await findShown(ctx.db, pkg.id, KIND.keyOfVersion(version))
    if (found === undefined) return
    await deleteVersions(ctx, [found], packages.actor.id)
    await dropIfEmpty(ctx, pkg.id)
  })
}

export function setTag(
  ctx: Context,
  packages: WritablePackages,
  name: string,
  tag: string,
  text: string,
): Promise<void> {
  assertTag(tag)
  const version = /^\s*"?([^"\s]{1,256})"?\s*$/.exec(text)?.[1] ?? ''
  return change(ctx, packages, name, async (ctx, pkg) => {
    const found = await findShown(ctx.db, pkg.id, KIND.keyOfVersion(version))
    if (found === undefined) throw missing('package version')
    await mergeTags(ctx.db, pkg.id, { [tag]: found.version })
  })
}

export function unsetTag(ctx: Context, packages: WritablePackages, name: string, tag: string): Promise<void> {
  return change(ctx, packages, name, (ctx, pkg) => removeTag(ctx.db, pkg.id, tag))
}

async function change(
  ctx: Context,
  packages: WritablePackages,
  name: string,
  work: (ctx: TxContext, pkg: PackageRow) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const pkg = await lockToWrite(ctx.db, packages, KIND, name)
    if (pkg === undefined) throw missing('package')
    await work(ctx, pkg)
  })
}
