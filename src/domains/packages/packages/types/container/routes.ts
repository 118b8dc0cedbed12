/** The container registry over HTTP, as in the OCI distribution specification. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { asAnybody, type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'
import {
  openRegistry,
  openRegistryToWrite,
  type ReadablePackages,
  type WritablePackages,
} from '../../access/open-packages.ts'
import { readWhole } from '../../blobs/take-bytes.ts'
import { BASIC } from '../registry-route.ts'
import { MANIFEST_BYTES_MAX } from './manifest.ts'
import { type Address, addressOf } from './names.ts'
import { type Asked, readCatalog, readContent, readManifestOf, readReferrers, readTags } from './read.ts'
import { answer, jsonAnswer, registryOfImages } from './registry.ts'
import { issueRegistryToken } from './token.ts'
import { beginUpload, dropUpload, endUpload, extendUpload, tellUpload } from './upload-routes.ts'
import { deleteContent, deleteManifest, putManifest } from './write.ts'

const AnyPath = Type.Object({ path: Type.String() })
const PageParams = Type.Object({ n: Type.Optional(Type.Integer()), last: Type.Optional(Type.String()) })
const common = { ...registryOfImages, path: '/v2/*path', params: AnyPath }

interface In {
  readonly ctx: Context
  readonly params: { readonly path: string }
}
interface Opened<P> {
  readonly address: Address
  readonly packages: P
}

async function toRead({ ctx, params }: In): Promise<Opened<ReadablePackages>> {
  const address = addressOf(params.path)
  return { address, packages: await openRegistry(ctx, address.owner) }
}

async function toWrite({ ctx, params }: In): Promise<Opened<WritablePackages>> {
  const address = addressOf(params.path)
  return { address, packages: await openRegistryToWrite(ctx, address.owner) }
}

function unsupported(): never {
  throw new Problem('method_not_allowed', 'method is not allowed')
}

const rootRoutes: readonly RawRoute[] = [
  rawRoute({
    ...registryOfImages,
    method: 'GET',
    path: '/v2',
    operationId: 'containerPing',
    // Clients learn from the challenge where to get a token; a token of an anonymous user is accepted.
    open: ({ headers }) => {
      if (headers.authorization === undefined)
        throw new Problem('unauthenticated', 'authentication is required')
    },
    handle: async () => jsonAnswer({}),
  }),
  rawRoute({
    ...registryOfImages,
    method: 'GET',
    path: '/v2/token',
    operationId: 'containerToken',
    scopes: [],
    challenge: BASIC,
    open: asAnybody,
    handle: async ({ ctx, headers }) => jsonAnswer(issueRegistryToken(ctx, headers.authorization ?? '')),
  }),
  rawRoute({
    ...registryOfImages,
    method: 'GET',
    path: '/v2/_catalog',
    operationId: 'containerCatalog',
    query: PageParams,
    open: asAnybody,
    handle: async ({ ctx, query }) => readCatalog(ctx, query),
  }),
]

export const containerRoutes: readonly RawRoute[] = [
  ...rootRoutes,
  rawRoute({
    ...common,
    method: 'GET',
    operationId: 'containerRead',
    query: Type.Object({ ...PageParams.properties, artifactType: Type.Optional(Type.String()) }),
    open: toRead,
    handle: (visit) => read(visit, visit.opened, visit.query),
  }),
  rawRoute({
    ...common,
    method: 'POST',
    operationId: 'containerBeginUpload',
    query: Type.Object({
      digest: Type.Optional(Type.String()),
      mount: Type.Optional(Type.String()),
      from: Type.Optional(Type.String()),
    }),
    keepsStream: true,
    open: toWrite,
    handle: async ({ ctx, query, stream, opened: { address, packages } }) => {
      if (address.target.what !== 'uploads') return unsupported()
      return beginUpload(ctx, packages, address, query, stream)
    },
  }),
  rawRoute({
    ...common,
    method: 'PATCH',
    operationId: 'containerExtendUpload',
    keepsStream: true,
    open: toWrite,
    handle: async ({ ctx, headers, stream, opened: { address, packages } }) => {
      const { target } = address
      if (target.what !== 'upload') return unsupported()
      return extendUpload(ctx, packages, address, target.id, headers, stream)
    },
  }),
  rawRoute({
    ...common,
    method: 'PUT',
    operationId: 'containerPut',
    query: Type.Object({ digest: Type.Optional(Type.String()) }),
    keepsStream: true,
    open: toWrite,
    handle: async ({ ctx, query, headers, stream, opened: { address, packages } }) => {
      const { owner, image, target } = address
      if (target.what === 'upload')
        return endUpload(ctx, packages, address, target.id, query.digest ?? '', headers, stream)
      if (target.what !== 'manifest') return unsupported()
      const sent = { bytes: await readWhole(stream, MANIFEST_BYTES_MAX), type: headers['content-type'] }
      const { digest, subject } = await putManifest(ctx, packages, image, target.reference, sent)
      return answer(201, {
        location: `/v2/${owner}/${image}/manifests/${digest}`,
        'docker-content-digest': digest,
        ...(subject !== undefined && { 'oci-subject': subject }),
      })
    },
  }),
  rawRoute({
    ...common,
    method: 'DELETE',
    operationId: 'containerDelete',
    open: toWrite,
    handle: async ({ ctx, opened: { address, packages } }) => {
      const { image, target } = address
      if (target.what === 'manifest') await deleteManifest(ctx, packages, image, target.reference)
      else if (target.what === 'blob') await deleteContent(ctx, packages, image, target.digest)
      else if (target.what === 'upload') return dropUpload(ctx, packages, address, target.id)
      else return unsupported()
      return answer(202, {})
    },
  }),
]

async function read(
  visit: Asked,
  { address: { owner, image, target }, packages }: Opened<ReadablePackages>,
  query: { readonly n?: number; readonly last?: string; readonly artifactType?: string },
): Promise<RawAnswer> {
  const { ctx } = visit
  if (target.what === 'blob') return readContent(visit, packages, image, target.digest)
  if (target.what === 'manifest') return readManifestOf(visit, packages, image, target.reference)
  if (target.what === 'tags') return readTags(ctx, packages, image, query)
  if (target.what === 'referrers')
    return readReferrers(ctx, packages, image, target.digest, query.artifactType)
  if (target.what !== 'upload') return unsupported()
  return tellUpload(ctx, await openRegistryToWrite(ctx, owner), { owner, image }, target.id)
}
