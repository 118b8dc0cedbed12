/** SQL on the files of versions. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { BlobRow } from '../tables.ts'

/** A file with its blob. */
export type FileRow = BlobRow & {
  readonly file_id: number
  readonly version_id: number
  readonly name: string
}

/** Limit of files in a version. */
export const FILES_MAX = 1_000

/** Registry indexes have no pages. Files beyond this limit can be downloaded but are not listed. */
const TOLD_MAX = 10_000

/** False if a file of that name exists. */
export async function insertFile(
  tx: Tx,
  file: {
    readonly version_id: number
    readonly blob_id: number
    readonly name: string
    readonly created_at: Date
  },
): Promise<boolean> {
  const made = await tx
    .insertInto('package_file')
    .values({ ...file, name_key: file.name.toLowerCase() })
    .onConflict((conflict) => conflict.columns(['version_id', 'name_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

export function selectFiles(db: Db) {
  return db
    .selectFrom('package_file')
    .innerJoin('package_blob', 'package_blob.id', 'package_file.blob_id')
    .selectAll('package_blob')
    .select(['package_file.id as file_id', 'package_file.version_id', 'package_file.name'])
}

/** In upload order. */
export function listFiles(db: Db, versionIds: readonly number[]): Promise<FileRow[]> {
  return selectFiles(db)
    .where('package_file.version_id', '=', sql<number>`any(${[...versionIds]}::bigint[])`)
    .orderBy('package_file.id')
    .execute()
}

export function findFile(db: Db, versionId: number, name: string): Promise<FileRow | undefined> {
  return selectFiles(db)
    .where('package_file.version_id', '=', versionId)
    .where('package_file.name_key', '=', name.toLowerCase())
    .executeTakeFirst()
}

export async function countFiles(db: Db, versionId: number): Promise<number> {
  const { total } = await db
    .selectFrom('package_file')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('version_id', '=', versionId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** All visible files of a package, oldest version first. Without metadata, which is long: see `metadata.ts`. */
export async function listVersionFiles(db: Db, packageId: number): Promise<VersionFile[]> {
  return (await selectVersionFiles(db, packageId).execute()).reverse()
}

/** Newest first. */
export function selectVersionFiles(db: Db, packageId: number) {
  return selectFiles(db)
    .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
    .select(['package_version.version', 'package_version.created_at as published_at'])
    .where('package_version.package_id', '=', packageId)
    .where('package_version.is_internal', '=', false)
    .orderBy('package_version.id', 'desc')
    .orderBy('package_file.id', 'desc')
    .limit(TOLD_MAX)
}

export type VersionFile = FileRow & { readonly version: string; readonly published_at: Date }
