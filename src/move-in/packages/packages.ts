/** Packages of the types that this forge has: names, versions, files, and their bytes once. */
import { sql } from 'kysely'
import { findType, packageKey } from '#domains/packages/packages'
import { transact } from '#platform/context'
import { carry, Left, type Move, type Task } from '../carry/carry.ts'
import { storeFile, uuidOf } from '../files/store-file.ts'
import type { SourceRow } from '../source/driver.ts'
import { id, idsOf, number, text, timeOr, word } from '../source/fields.ts'
import { factsOf, pathOf, readManifests } from './facts.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** Properties of packages, files and versions are in one table. */
const OF_VERSION = 0
const CONTAINER = 'container'
/** Where clients put layers before their manifest. */
const UPLOADS = '_upload'

const OF_PACKAGE = (columns: string, from: string) =>
  `select ${columns}, p.type, p.owner_id from ${from} join package as p on p.id = v.package_id`

type Tags = ReadonlyMap<number, Readonly<Record<string, string>>>

const names = carry<Tags>({
  name: 'package → package',
  from: `select p.*, (select min(v.created_unix) from package_version as v where v.package_id = p.id) as born
    from package as p`,
  needs: ['package_version'],
  into: 'package',
  around: (move, _, batch) => readTags(move, batch),
  rows: (row, _, tags) => {
    const type = findType(text(row.type))
    if (type === undefined) return new Left(`packages of type "${text(row.type)}" are not known here`)
    const name = text(row.name)
    const own = tags.get(number(row.id))
    return {
      id: number(row.id),
      owner_id: number(row.owner_id),
      repository_id: id(row.repo_id),
      type: type.type,
      name,
      name_key: type.keyOfName(name),
      properties: own === undefined ? {} : { tags: own },
      created_at: timeOr(row.born, null),
    }
  },
})

async function readTags({ source }: Move, batch: readonly SourceRow[]): Promise<Tags> {
  const ids = idsOf(
    batch.filter((row) => text(row.type) === 'npm'),
    'id',
  )
  if (ids.length === 0) return new Map()
  const rows = await source.rows(
    `select v.package_id, v.version, t.value from package_version as v
     join package_property as t on t.ref_id = v.id and t.ref_type = ${OF_VERSION} and t.name = 'npm.tag'
     where v.package_id in (${ids.join(', ')})`,
  )
  const tags = new Map<number, Record<string, string>>()
  for (const row of rows) {
    const own = tags.get(number(row.package_id)) ?? {}
    own[text(row.value)] = text(row.version)
    tags.set(number(row.package_id), own)
  }
  return tags
}

const blobs = carry({
  from: 'package_blob',
  into: 'package_blob',
  before: async (move, batch) => {
    for (const row of batch) {
      const sha256 = word(row.hash_sha256)
      if (!SHA256.test(sha256)) continue
      const { packages: files } = move.source.files
      const path = pathOf(sha256)
      const bytes = await files.sizeOf(path)
      if (bytes === undefined || bytes !== number(row.size)) move.facts.missing.add(sha256)
      else await storeFile(move, files, { path, bytes, sha256 }, packageKey(uuidOf(sha256)))
    }
  },
  rows: (row, { facts }) => {
    const sha256 = word(row.hash_sha256)
    if (!SHA256.test(sha256) || facts.missing.has(sha256))
      return new Left('its file is missing or has another size')
    return {
      id: number(row.id),
      key: uuidOf(sha256),
      bytes: number(row.size),
      md5: word(row.hash_md5),
      sha1: word(row.hash_sha1),
      sha256,
      sha512: word(row.hash_sha512),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

/** Manifests by the id of their version: an image is described by what its manifest says. */
type Manifests = ReadonlyMap<number, object>

const versions = carry<Manifests>({
  name: 'package_version → package_version',
  from: OF_PACKAGE('v.*, p.name as package_name', 'package_version as v'),
  into: 'package_version',
  isCompleted: true,
  around: (move, _, batch) => readManifests(move, batch),
  rows: (row, _, manifests) => {
    const type = findType(text(row.type))
    const version = text(row.version)
    const isImage = type?.type === CONTAINER
    if (type === undefined || (isImage && version === UPLOADS)) return []
    const manifest = manifests.get(number(row.id))
    if (isImage && manifest === undefined) return new Left('its manifest cannot be read')
    return {
      id: number(row.id),
      package_id: number(row.package_id),
      owner_id: number(row.owner_id),
      creator_id: id(row.creator_id),
      version,
      version_key: type.keyOfVersion(version),
      is_internal: isImage && version.includes(':'),
      metadata: manifest ?? factsOf(type.type, row),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

const files = carry({
  name: 'package_file → package_file',
  from: `select f.*, p.type, b.hash_sha256 from package_file as f join package_version as v on v.id = f.version_id
    join package as p on p.id = v.package_id join package_blob as b on b.id = f.blob_id
    where v.version <> '${UPLOADS}'`,
  needs: ['package_file'],
  into: 'package_file',
  isCompleted: true,
  rows: (row) => {
    const isContent = text(row.type) === CONTAINER && text(row.name) !== 'manifest.json'
    const name = isContent ? `sha256:${word(row.hash_sha256)}` : text(row.name)
    return {
      id: number(row.id),
      version_id: number(row.version_id),
      blob_id: number(row.blob_id),
      name,
      name_key: name.toLowerCase(),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

/** Here a manifest is also there under its digest, when it was pushed by tag alone. Ids are those of this forge. */
const digests: Task = {
  kind: 'task',
  name: 'manifests by digest',
  run: ({ ctx }) =>
    transact(ctx, async ({ db }) => {
      await sql`with made as (
          insert into package_version (package_id, owner_id, creator_id, version, version_key, is_internal, metadata, created_at)
          select distinct on (tag.package_id, tag.metadata ->> 'digest') tag.package_id, tag.owner_id, tag.creator_id,
            tag.metadata ->> 'digest', tag.metadata ->> 'digest', true, tag.metadata, tag.created_at
          from package_version as tag join package on package.id = tag.package_id and package.type = ${CONTAINER}
          where not tag.is_internal and tag.metadata ? 'digest'
          order by tag.package_id, tag.metadata ->> 'digest', tag.id
          on conflict (package_id, version_key) do nothing returning id, package_id, version)
        insert into package_file (version_id, blob_id, name, name_key, created_at)
        select distinct on (made.id, file.name_key) made.id, file.blob_id, file.name, file.name_key, file.created_at
        from made join package_version as tag on tag.package_id = made.package_id and tag.metadata ->> 'digest' = made.version
        join package_file as file on file.version_id = tag.id
        on conflict do nothing`.execute(db)
    }),
}

export const packages = [names, blobs, versions, files]
/** After the sequences. */
export const packageEnd = [digests]
