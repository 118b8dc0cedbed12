/**
 * SQL on container images. A tag is a visible version; a manifest is an internal version named by its digest; both
 * have the manifest and all its content as files. Content without a manifest belongs to an internal version of its
 * own.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import { type FileRow, insertFile, selectFiles } from '../../records/file-store.ts'
import type { BlobRow, VersionRow } from '../../tables.ts'
import { digestOf, hashOf, MANIFEST, UPLOADS } from './names.ts'

function isCalled(digest: string) {
  const [algorithm, hash] = hashOf(digest)
  return [`package_blob.${algorithm}`, '=', hash] as const
}

/** A blob of an image, in any of its versions. */
export function findContent(db: Db, packageId: number, digest: string): Promise<FileRow | undefined> {
  return selectFiles(db)
    .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
    .where('package_version.package_id', '=', packageId)
    .where(...isCalled(digest))
    .limit(1)
    .executeTakeFirst()
}

/** Locks blobs of an image against deletion until the transaction ends. */
export function holdContents(tx: Tx, packageId: number, digests: readonly string[]): Promise<BlobRow[]> {
  const hashes = (algorithm: 'sha256' | 'sha512') => {
    const called = digests.map(hashOf).filter(([its]) => its === algorithm)
    return sql<string>`any(${called.map(([, hash]) => hash)}::text[])`
  }
  return tx
    .selectFrom('package_blob')
    .selectAll()
    .where((eb) => eb.or([eb('sha256', '=', hashes('sha256')), eb('sha512', '=', hashes('sha512'))]))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('package_file')
          .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
          .select('package_file.id')
          .whereRef('package_file.blob_id', '=', 'package_blob.id')
          .where('package_version.package_id', '=', packageId),
      ),
    )
    .orderBy('id')
    .forKeyShare()
    .execute()
}

export async function insertContents(
  tx: Tx,
  versionId: number,
  manifest: BlobRow | undefined,
  contents: readonly BlobRow[],
  now: Date,
): Promise<void> {
  const common = { version_id: versionId, created_at: now }
  if (manifest !== undefined) await insertFile(tx, { ...common, blob_id: manifest.id, name: MANIFEST })
  for (const blob of contents) await insertFile(tx, { ...common, blob_id: blob.id, name: digestOf(blob) })
}

/** By tag or digest: metadata and content of the manifest. */
export function findManifest(db: Db, packageId: number, reference: string) {
  return selectFiles(db)
    .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
    .select(['package_version.metadata'])
    .where('package_version.package_id', '=', packageId)
    .where('package_version.version_key', '=', reference)
    .where('package_file.name_key', '=', MANIFEST)
    .executeTakeFirst()
}

/** All versions of this manifest: the manifest itself and its tags. */
export function listSame(db: Db, packageId: number, digest: string): Promise<VersionRow[]> {
  return db
    .selectFrom('package_version')
    .selectAll()
    .where('package_id', '=', packageId)
    .where(sql<string>`metadata ->> 'digest'`, '=', digest)
    .where(sql<boolean>`metadata ? 'digest'`)
    .execute()
}

export async function countManifests(db: Db, packageId: number, digests: readonly string[]): Promise<number> {
  const { total } = await db
    .selectFrom('package_version')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('package_id', '=', packageId)
    .where('version_key', '=', sql<string>`any(${[...digests]}::text[])`)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** In alphabetical order, after the given tag. */
export function selectTags(db: Db, packageId: number, after: string) {
  return db
    .selectFrom('package_version')
    .select('version')
    .where('package_id', '=', packageId)
    .where('is_internal', '=', false)
    .where('version_key', '>', after)
    .orderBy('version_key')
}

const REFERRERS_MAX = 1_000

/** Ids of the versions. */
export async function listReferrers(
  db: Db,
  packageId: number,
  digest: string,
  artifactType: string | undefined,
): Promise<number[]> {
  const found = await db
    .selectFrom('package_version')
    .select('id')
    .where('package_id', '=', packageId)
    .where('is_internal', '=', true)
    .where(sql<string>`metadata ->> 'subject'`, '=', digest)
    .where(sql<boolean>`metadata ? 'subject'`)
    .$if(Boolean(artifactType), (query) =>
      query.where(sql<string>`metadata ->> 'artifactType'`, '=', artifactType ?? ''),
    )
    .orderBy('id')
    .limit(REFERRERS_MAX)
    .execute()
  return found.map(({ id }) => id)
}

/** Manifests that no tag reaches: neither directly, nor through an index, nor as referrer of a reachable one. */
export async function listUnreachable(db: Db, packageId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`with recursive reached (digest) as (
      select metadata ->> 'digest' from package_version where package_id = ${packageId} and not is_internal
      union
      select next.digest from reached join package_version it on it.package_id = ${packageId}
          and it.version_key = reached.digest
        cross join lateral (
          select jsonb_array_elements_text(coalesce(it.metadata -> 'children', '[]')) as digest
          union all
          select about.metadata ->> 'digest' from package_version about where about.package_id = ${packageId}
            and about.metadata ->> 'subject' = reached.digest and about.metadata ? 'subject') next)
    select id from package_version where package_id = ${packageId} and is_internal
      and version_key <> ${UPLOADS} and metadata ->> 'digest' not in (select digest from reached)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Content older than `before` that is in no manifest; content in a manifest has a file there as well. */
export async function listStale(db: Db, before: Date, limit: number) {
  return db
    .selectFrom('package_file')
    .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
    .select(['package_file.id', 'package_version.package_id'])
    .where('package_version.version_key', '=', UPLOADS)
    .where('package_file.created_at', '<', before)
    .orderBy('package_file.created_at')
    .limit(limit)
    .execute()
}

/** A blob of an image, and whether a manifest requires it. */
export async function findWaiting(
  db: Db,
  packageId: number,
  digest: string,
): Promise<{ readonly id: number; readonly blob_id: number; readonly isNeeded: boolean } | undefined> {
  const files = await db
    .selectFrom('package_file')
    .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
    .innerJoin('package_blob', 'package_blob.id', 'package_file.blob_id')
    .select(['package_file.id', 'package_file.blob_id', 'package_version.version_key'])
    .where('package_version.package_id', '=', packageId)
    .where(...isCalled(digest))
    .execute()
  const waiting = files.find(({ version_key }) => version_key === UPLOADS) ?? files[0]
  return waiting && { ...waiting, isNeeded: files.some(({ version_key }) => version_key !== UPLOADS) }
}

export async function deleteFiles(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const gone = await tx
    .deleteFrom('package_file')
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .returning('blob_id')
    .execute()
  return gone.map(({ blob_id }) => blob_id)
}

/** Whether an image has a manifest, or content that waits for one. */
export async function hasAnything(db: Db, packageId: number): Promise<boolean> {
  const found = await db
    .selectFrom('package_version')
    .leftJoin('package_file', 'package_file.version_id', 'package_version.id')
    .select('package_version.id')
    .where('package_version.package_id', '=', packageId)
    .where((eb) =>
      eb.or([eb('package_version.version_key', '<>', UPLOADS), eb('package_file.id', 'is not', null)]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
