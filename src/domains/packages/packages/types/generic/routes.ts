/** Generic packages over HTTP: upload, download and delete files. */
import { Type } from 'typebox'
import { type Context, type TxContext, transact } from '#platform/context'
import { type RawRoute, rawRoute } from '#platform/rest'
import {
  openRegistry,
  openRegistryToWrite,
  type ReadablePackages,
  type WritablePackages,
} from '../../access/open-packages.ts'
import { serveBlob } from '../../blobs/serve-blob.ts'
import { takeBytes } from '../../blobs/take-bytes.ts'
import { deleteFile, deleteVersions, dropIfEmpty } from '../../records/delete.ts'
import { findFile } from '../../records/file-store.ts'
import { publish } from '../../records/publish.ts'
import { findPackage, findShown, lockToWrite, type ShownVersion } from '../../records/store.ts'
import { missing, OwnerPath, plain, registry } from '../registry-route.ts'
import { assertNames, KIND } from './names.ts'

const VersionPath = Type.Object({ ...OwnerPath, name: Type.String(), version: Type.String() })
const FilePath = Type.Object({ ...VersionPath.properties, file: Type.String() })
const VERSION = '/api/packages/:owner/generic/:name/:version'
const FILE = `${VERSION}/:file`

const toWrite = ({ ctx, params }: { ctx: Context; params: { owner: string } }) =>
  openRegistryToWrite(ctx, params.owner)

export const genericRoutes: readonly RawRoute[] = [
  rawRoute({
    ...registry,
    method: 'PUT',
    path: FILE,
    operationId: 'genericPutFile',
    params: FilePath,
    keepsStream: true,
    open: toWrite,
    handle: async ({ ctx, params, stream, opened }) => {
      assertNames(params)
      const stored = await takeBytes(ctx, stream)
      await publish(ctx, opened, stored, { kind: KIND, ...params })
      return plain(201)
    },
  }),
  rawRoute({
    ...registry,
    method: 'GET',
    path: FILE,
    operationId: 'genericGetFile',
    params: FilePath,
    open: ({ ctx, params }) => openRegistry(ctx, params.owner),
    handle: async (visit) => {
      const { ctx, params, opened } = visit
      const version = await findVersion(ctx, opened, params)
      const file = version && (await findFile(ctx.db, version.id, params.file))
      if (file === undefined) throw missing('package file')
      return serveBlob(visit, file, file.name)
    },
  }),
  rawRoute({
    ...registry,
    method: 'DELETE',
    path: FILE,
    operationId: 'genericDeleteFile',
    params: FilePath,
    open: toWrite,
    handle: async ({ ctx, params, opened }) => {
      await transact(ctx, async (ctx) => {
        const version = await lockVersion(ctx, opened, params)
        const file = version && (await findFile(ctx.db, version.id, params.file))
        if (version === undefined || file === undefined) throw missing('package file')
        await deleteFile(ctx, version, file.file_id, opened.actor.id)
      })
      return { status: 204, headers: {}, body: undefined }
    },
  }),
  rawRoute({
    ...registry,
    method: 'DELETE',
    path: VERSION,
    operationId: 'genericDeleteVersion',
    params: VersionPath,
    open: toWrite,
    handle: async ({ ctx, params, opened }) => {
      await transact(ctx, async (ctx) => {
        const version = await lockVersion(ctx, opened, params)
        if (version === undefined) throw missing('package')
        await deleteVersions(ctx, [version], opened.actor.id)
        await dropIfEmpty(ctx, version.package_id)
      })
      return { status: 204, headers: {}, body: undefined }
    },
  }),
]

interface Named {
  readonly name: string
  readonly version: string
}

async function findVersion(
  ctx: Context,
  packages: ReadablePackages,
  named: Named,
): Promise<ShownVersion | undefined> {
  const pkg = await findPackage(ctx.db, packages, KIND, named.name)
  return pkg && findShown(ctx.db, pkg.id, KIND.keyOfVersion(named.version))
}

/** Finds the version with its package locked. */
async function lockVersion(
  ctx: TxContext,
  packages: WritablePackages,
  named: Named,
): Promise<ShownVersion | undefined> {
  const pkg = await lockToWrite(ctx.db, packages, KIND, named.name)
  return pkg && findVersion(ctx, packages, named)
}
