/** Parses the document of `npm publish` and checks it against the uploaded bytes. Pure. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parseJson } from '#platform/json'
import { Problem } from '#platform/problem'
import type { Stored } from '../../blobs/take-bytes.ts'
import { assertKeepable } from '../../kind.ts'
import type { Facts } from '../../tables.ts'
import { assertTag, isName, isVersion } from './names.ts'

const TAGS_MAX = 100
/** A document lists all versions of a package with their dependencies. */
const VALUES_MAX = 500_000

export type Document = Static<typeof Document>
export const Document = Type.Object({
  name: Type.Optional(Type.String()),
  versions: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
  'dist-tags': Type.Optional(Type.Record(Type.String(), Type.String())),
})

export interface NpmVersion {
  readonly name: string
  readonly version: string
  readonly metadata: Facts
  readonly tags: Readonly<Record<string, string>>
  /** Checks the uploaded bytes against the announced hashes. */
  readonly check: (sent: Pick<Stored, 'sha1' | 'sha512'>) => void
}

export function readDocument(text: string): Document {
  let document: unknown
  try {
    document = parseJson(Buffer.from(text), VALUES_MAX)
  } catch {
    throw new Problem('malformed', 'package document is not valid JSON')
  }
  if (!Value.Check(Document, document)) throw new Problem('malformed', 'package document is invalid')
  return document
}

/** Exactly one version is published at a time. */
export function versionOf({ versions, 'dist-tags': tags = {} }: Document, wanted: string): NpmVersion {
  const [entry, second] = Object.entries(versions)
  if (entry === undefined || second !== undefined)
    throw new Problem('malformed', 'exactly one version is published at once')
  const [version, { dist, readme: _, ...metadata }] = entry
  if (!isName(wanted) || metadata.name !== wanted) throw new Problem('malformed', 'invalid package name')
  if (!isVersion(version) || metadata.version !== version)
    throw new Problem('malformed', 'invalid package version')
  assertKeepable(metadata)
  return { name: wanted, version, metadata, tags: readTags(tags, version), check: checkOf(dist) }
}

/** Only tags of the published version. */
function readTags(tags: Readonly<Record<string, string>>, version: string): Record<string, string> {
  const own = Object.entries(tags).filter(([, of]) => of === version)
  if (own.length > TAGS_MAX) throw new Problem('malformed', 'too many tags')
  for (const [tag] of own) assertTag(tag)
  return Object.fromEntries(own)
}

function checkOf(dist: unknown): NpmVersion['check'] {
  const { integrity, shasum } = (typeof dist === 'object' && dist !== null ? dist : {}) as Record<
    string,
    unknown
  >
  return ({ sha1, sha512 }) => {
    const isOther = typeof shasum === 'string' && shasum.toLowerCase() !== sha1
    const mine = integrityOf(sha512)
    const isDamaged =
      typeof integrity === 'string' && /^sha512-/.test(integrity) && !integrity.split(/\s+/).includes(mine)
    if (isOther || isDamaged) throw new Problem('malformed', 'package does not match its checksum')
  }
}

export function integrityOf(sha512: string): string {
  return `sha512-${Buffer.from(sha512, 'hex').toString('base64')}`
}
