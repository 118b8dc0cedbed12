/** Packages over REST. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { takePage } from '#platform/db'
import { Problem } from '#platform/problem'
import {
  route as anyRoute,
  asSiteAdmin,
  created,
  listed,
  listOf,
  noContent,
  ok,
  PageQuery,
  pageFields,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { openToRead, openToWrite, type ReadablePackages } from '../access/open-packages.ts'
import type { PackageRow } from '../tables.ts'
import { findType, keyOfVersion } from '../types/index.ts'
import { listFiles } from './file-store.ts'
import { showPackage, showPackages } from './show.ts'
import { findPackage, findShown, listShown, type ShownVersion, selectShownOf } from './store.ts'
import { Package, PackageFile, presentFile } from './wire.ts'
import { linkPackage, removePackage, removeVersion, unlinkPackage } from './write.ts'

const route = routesOf({ tag: 'package', scopes: ['package'] })

const PackagePath = Type.Object({ owner: Type.String(), type: Type.String(), name: Type.String() })
const VersionPath = Type.Object({ ...PackagePath.properties, version: Type.String() })
const LinkPath = Type.Object({ ...PackagePath.properties, repo_name: Type.String() })
const PackagesQuery = Type.Object({
  ...pageFields,
  type: Type.Optional(Type.String({ maxLength: 32, description: 'only packages of this type' })),
  q: Type.Optional(Type.String({ maxLength: 255, description: 'part of the name' })),
})
const PACKAGE = '/packages/:owner/:type/:name'
const VERSION = `${PACKAGE}/:version`

interface NamePath {
  readonly owner: string
  readonly type: string
  readonly name: string
}
interface FoundPackage {
  readonly pkg: PackageRow
}
interface FoundVersion extends FoundPackage {
  readonly version: ShownVersion
}
interface In<P> {
  readonly ctx: Context
  readonly params: P
}

/** Compat: the error message names the operation. */
async function findNamed(
  ctx: Context,
  packages: ReadablePackages,
  path: NamePath,
  asked: string,
): Promise<FoundPackage> {
  // D41: REST also accepts the older name.
  const type = findType(path.type === 'docker' ? 'container' : path.type)
  const pkg = type && (await findPackage(ctx.db, packages, type, path.name))
  if (type === undefined || pkg === undefined)
    throw new Problem('not_found', `${asked}: package does not exist`)
  return { pkg }
}

const named =
  ({ ctx, params }: In<NamePath>) =>
  (packages: ReadablePackages) =>
    findNamed(ctx, packages, params, 'GetPackageByName')

const versioned =
  ({ ctx, params }: In<NamePath & { version: string }>) =>
  async (packages: ReadablePackages): Promise<FoundVersion> => {
    const asked = 'GetVersionByNameAndVersion'
    const { pkg } = await findNamed(ctx, packages, params, asked)
    const version = await findShown(ctx.db, pkg.id, keyOfVersion(pkg.type, params.version))
    if (version === undefined) throw new Problem('not_found', `${asked}: package does not exist`)
    return { pkg, version }
  }

const toRead = (visit: In<NamePath>) => openToRead(visit.ctx, visit.params.owner, named(visit))
const toWrite = (visit: In<NamePath>) => openToWrite(visit.ctx, visit.params.owner, named(visit))
const toReadVersion = (visit: In<NamePath & { version: string }>) =>
  openToRead(visit.ctx, visit.params.owner, versioned(visit))

const listRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/packages/:owner',
    operationId: 'listPackages',
    summary: "List an owner's packages, one entry for each version",
    params: Type.Object({ owner: Type.String() }),
    query: PackagesQuery,
    answers: { 200: listOf(Package) },
    open: ({ ctx, params }) => openToRead(ctx, params.owner, async () => undefined),
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const filter = { packages: opened.packages, type: query.type ?? '', part: query.q ?? '' }
      const { items, total } = await listShown(ctx.db, filter, pageOf(ctx, query))
      return listed(visit, await showPackages(ctx, items), total)
    },
  }),
  route({
    method: 'GET',
    path: PACKAGE,
    operationId: 'listPackageVersions',
    summary: 'List the versions of a package',
    params: PackagePath,
    query: PageQuery,
    answers: { 200: listOf(Package) },
    open: toRead,
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const { pkg } = opened.found
      const counted = ctx.db
        .selectFrom('package_version')
        .where('package_id', '=', pkg.id)
        .where('is_internal', '=', false)
      const { items, total } = await takePage(selectShownOf(ctx.db, pkg.id), pageOf(ctx, query), counted)
      return listed(visit, await showPackages(ctx, items), total)
    },
  }),
  anyRoute({
    method: 'GET',
    path: '/admin/packages',
    operationId: 'adminListPackages',
    tag: 'admin',
    summary: 'List all packages, one entry for each version',
    scopes: ['admin'],
    query: PackagesQuery,
    answers: { 200: listOf(Package) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx, query } = visit
      const filter = { type: query.type ?? '', part: query.q ?? '' }
      const { items, total } = await listShown(ctx.db, filter, pageOf(ctx, query))
      return listed(visit, await showPackages(ctx, items), total)
    },
  }),
]

export const packageRoutes: readonly Route[] = [
  ...listRoutes,
  route({
    method: 'DELETE',
    path: PACKAGE,
    operationId: 'deletePackage',
    summary: 'Delete a package with all its versions',
    params: PackagePath,
    answers: { 204: null },
    open: toWrite,
    handle: async ({ ctx, opened: { packages, found } }) => {
      await removePackage(ctx, packages, found.pkg)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: `${PACKAGE}/-/latest`,
    operationId: 'getLatestPackageVersion',
    summary: 'Get the version of a package that was published last',
    params: PackagePath,
    answers: { 200: Package },
    open: toRead,
    handle: async ({ ctx, opened: { found } }) => {
      const latest = await selectShownOf(ctx.db, found.pkg.id).limit(1).executeTakeFirst()
      if (latest === undefined) throw new Problem('not_found', 'package does not exist')
      return ok(await showPackage(ctx, latest))
    },
  }),
  route({
    method: 'POST',
    path: `${PACKAGE}/-/link/:repo_name`,
    operationId: 'linkPackage',
    summary: 'Link a package to a repository of its owner',
    params: LinkPath,
    answers: { 201: null },
    open: toWrite,
    handle: async ({ ctx, params, opened: { packages, found } }) => {
      await linkPackage(ctx, packages, found.pkg, params.repo_name)
      return created(undefined)
    },
  }),
  route({
    method: 'POST',
    path: `${PACKAGE}/-/unlink`,
    operationId: 'unlinkPackage',
    summary: 'Unlink a package from its repository',
    params: PackagePath,
    answers: { 204: null },
    open: toWrite,
    handle: async ({ ctx, opened: { packages, found } }) => {
      await unlinkPackage(ctx, packages, found.pkg)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: VERSION,
    operationId: 'getPackage',
    summary: 'Get a version of a package',
    params: VersionPath,
    answers: { 200: Package },
    open: toReadVersion,
    handle: async ({ ctx, opened: { found } }) => ok(await showPackage(ctx, found.version)),
  }),
  route({
    method: 'DELETE',
    path: VERSION,
    operationId: 'deletePackageVersion',
    summary: 'Delete a version of a package',
    params: VersionPath,
    answers: { 204: null },
    open: (visit) => openToWrite(visit.ctx, visit.params.owner, versioned(visit)),
    handle: async ({ ctx, opened: { packages, found } }) => {
      await removeVersion(ctx, packages, findType(found.pkg.type), found.version)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: `${VERSION}/files`,
    operationId: 'listPackageFiles',
    summary: 'List the files of a version',
    params: VersionPath,
    answers: { 200: listOf(PackageFile) },
    open: toReadVersion,
    handle: async ({ ctx, opened: { found } }) =>
      ok((await listFiles(ctx.db, [found.version.id])).map(presentFile)),
  }),
]
