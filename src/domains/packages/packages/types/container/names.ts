/** Valid names of images, tags and digests, and parsing of addresses. Pure. */
import { Problem } from '#platform/problem'
import { type Kind, lowerCase } from '../../kind.ts'
import type { Hashes } from '../../tables.ts'

/** Unlike other versions, tags are case-sensitive. */
export const KIND: Kind = { type: 'container', keyOfName: lowerCase, keyOfVersion: (tag) => tag }

const IMAGE_MAX = 255
const IMAGE = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/
const TAG = /^\w[\w.-]{0,127}$/
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/
/** Not a valid tag, so it cannot collide. */
export const UPLOADS = '_upload:blobs'
export const MANIFEST = 'manifest.json'

/** The target of an address below /v2. */
export type Target =
  | { readonly what: 'blob'; readonly digest: string }
  | { readonly what: 'uploads' }
  | { readonly what: 'upload'; readonly id: string }
  | { readonly what: 'manifest'; readonly reference: string }
  | { readonly what: 'tags' }
  | { readonly what: 'referrers'; readonly digest: string }

export interface Address {
  readonly owner: string
  /** May contain slashes. */
  readonly image: string
  readonly target: Target
}

const ADDRESS =
  /^([^/]+)\/(.+)\/(?:(blobs\/uploads)\/?|blobs\/uploads\/([^/]+)|(blobs|manifests|referrers)\/([^/]+)|(tags\/list))$/

export function addressOf(path: string): Address {
  const [, owner, image, uploads, id, kind, name = '', tags] = ADDRESS.exec(path) ?? []
  if (owner === undefined || image === undefined) throw new Problem('not_found', 'not found')
  if (image.length > IMAGE_MAX || !IMAGE.test(image))
    throw new Problem('malformed', 'invalid repository name', { code: 'NAME_INVALID' })
  return { owner, image, target: targetOf(uploads, id, kind, name, tags) }
}

function targetOf(
  uploads: string | undefined,
  id: string | undefined,
  kind: string | undefined,
  name: string,
  tags: string | undefined,
): Target {
  if (uploads !== undefined) return { what: 'uploads' }
  if (id !== undefined) return { what: 'upload', id }
  if (tags !== undefined) return { what: 'tags' }
  if (kind === 'blobs') return { what: 'blob', digest: readDigest(name) }
  if (kind === 'referrers') return { what: 'referrers', digest: readDigest(name) }
  if (!TAG.test(name) && !isDigest(name))
    throw new Problem('malformed', 'invalid tag or digest', { code: 'MANIFEST_INVALID' })
  return { what: 'manifest', reference: name }
}

export function isDigest(text: string): boolean {
  return DIGEST.test(text)
}

export function readDigest(text: string): string {
  if (!isDigest(text))
    throw new Problem('malformed', 'invalid or unsupported digest', { code: 'DIGEST_INVALID' })
  return text
}

/** The canonical digest of a blob. */
export function digestOf({ sha256 }: Pick<Hashes, 'sha256'>): string {
  return `sha256:${sha256}`
}

/** Algorithm, which is also the name of the column, and hash. */
export function hashOf(digest: string): readonly ['sha256' | 'sha512', string] {
  const [algorithm, hash = ''] = digest.split(':')
  return [algorithm === 'sha512' ? 'sha512' : 'sha256', hash]
}

export function assertDigest(wanted: string): (sent: Pick<Hashes, 'sha256' | 'sha512'>) => void {
  const [algorithm, hash] = hashOf(wanted)
  return (sent) => {
    if (sent[algorithm] !== hash)
      throw new Problem('malformed', 'content does not match its digest', { code: 'DIGEST_INVALID' })
  }
}
