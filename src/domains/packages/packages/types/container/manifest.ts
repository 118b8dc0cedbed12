/** Parses manifests: images, indexes and other artifacts. Pure. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parseJson } from '#platform/json'
import { Problem } from '#platform/problem'
import { assertKeepable } from '../../kind.ts'
import { isDigest } from './names.ts'

export const MANIFEST_BYTES_MAX = 4_194_304
const DESCRIPTORS_MAX = 1_000
/** Enough for the maximum number of descriptors of each kind, and annotations. */
const VALUES_MAX = 100_000

const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
export const OCI_INDEX = 'application/vnd.oci.image.index.v1+json'
const DOCKER_MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'
const DOCKER_LIST = 'application/vnd.docker.distribution.manifest.list.v2+json'
const TYPES = [OCI_MANIFEST, OCI_INDEX, DOCKER_MANIFEST, DOCKER_LIST]

const Descriptor = Type.Object({
  mediaType: Type.Optional(Type.String({ maxLength: 255 })),
  digest: Type.String({ maxLength: 255 }),
  size: Type.Integer({ minimum: 0 }),
  urls: Type.Optional(Type.Array(Type.String())),
})
const Annotations = Type.Record(Type.String(), Type.String())
const Manifest = Type.Object({
  schemaVersion: Type.Literal(2),
  mediaType: Type.Optional(Type.String({ maxLength: 255 })),
  artifactType: Type.Optional(Type.String({ maxLength: 255 })),
  config: Type.Optional(Descriptor),
  layers: Type.Optional(Type.Array(Descriptor, { maxItems: DESCRIPTORS_MAX })),
  manifests: Type.Optional(Type.Array(Descriptor, { maxItems: DESCRIPTORS_MAX })),
  subject: Type.Optional(Descriptor),
  annotations: Type.Optional(Annotations),
})
type Manifest = Static<typeof Manifest>

/** Stored with the version of a manifest. */
export interface ManifestFacts {
  readonly digest: string
  readonly size: number
  readonly mediaType: string
  /** Digests of the images of an index. */
  readonly children?: readonly string[]
  readonly subject?: string
  readonly artifactType?: string
  readonly annotations?: Readonly<Record<string, string>>
}

export interface ReadManifest {
  readonly facts: Omit<ManifestFacts, 'digest' | 'size'>
  /** Digests of the content that it requires. */
  readonly blobs: readonly string[]
}

export function readManifest(bytes: Buffer, contentType: string | undefined): ReadManifest {
  const manifest = parse(bytes)
  const said = contentType?.split(';')[0]?.trim() ?? ''
  const mediaType = manifest.mediaType || (TYPES.includes(said) ? said : '') || guess(manifest)
  if (!TYPES.includes(mediaType)) throw wrong('unsupported media type')
  if (TYPES.includes(said) && said !== mediaType) throw wrong('media type is not that of the request')
  const { config, layers = [], manifests, subject, annotations } = manifest
  const isIndex = mediaType === OCI_INDEX || mediaType === DOCKER_LIST
  // Layers with `urls` are stored elsewhere.
  const needed = isIndex
    ? []
    : [...(config ? [config] : []), ...layers.filter(({ urls = [] }) => urls.length === 0)]
  const facts = {
    mediaType,
    ...(isIndex && { children: digestsOf(manifests ?? []) }),
    ...(subject && { subject: digestsOf([subject])[0] ?? '' }),
    ...artifactTypeOf(manifest),
    // Returned in the list of referrers.
    ...(subject && annotations && { annotations }),
  }
  assertKeepable(facts, MANIFEST_BYTES_MAX)
  return { facts, blobs: digestsOf(needed) }
}

function parse(bytes: Buffer): Manifest {
  let manifest: unknown
  try {
    manifest = parseJson(bytes, VALUES_MAX)
  } catch {
    throw wrong('manifest is not valid JSON')
  }
  if (!Value.Check(Manifest, manifest)) throw wrong('manifest is invalid')
  return manifest
}

function guess({ manifests, config }: Manifest): string {
  if (manifests !== undefined) return OCI_INDEX
  return config === undefined ? '' : OCI_MANIFEST
}

/** Defaults to the media type of the config. */
function artifactTypeOf({ artifactType, config }: Manifest): { artifactType?: string } {
  const type = artifactType || config?.mediaType
  return type === undefined ? {} : { artifactType: type }
}

function digestsOf(descriptors: readonly { readonly digest: string }[]): string[] {
  if (!descriptors.every(({ digest }) => isDigest(digest))) throw wrong('manifest has an invalid digest')
  return [...new Set(descriptors.map(({ digest }) => digest))]
}

function wrong(message: string): Problem {
  return new Problem('malformed', message, { code: 'MANIFEST_INVALID' })
}
