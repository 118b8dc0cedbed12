/** SQL on packages and their versions. Reads take any handle; writes take a transaction. */
import { type Expression, type SqlBool, sql } from 'kysely'
import { containing, type Db, type Paged, type Tx, takePage } from '#platform/db'
import { forbidden } from '#platform/problem'
import type { Page } from '#platform/rest'
import type { ReadablePackages, WritablePackages } from '../access/open-packages.ts'
import type { Kind } from '../kind.ts'
import type { Facts, PackageRow, VersionRow } from '../tables.ts'

/** A version with columns of its package. */
export type ShownVersion = Pick<
  VersionRow,
  'id' | 'package_id' | 'version' | 'version_key' | 'creator_id' | 'created_at'
> &
  Pick<PackageRow, 'owner_id' | 'repository_id' | 'type' | 'name' | 'name_key'>

export function findPackage(
  db: Db,
  packages: ReadablePackages,
  kind: Kind,
  name: string,
): Promise<PackageRow | undefined> {
  return db
    .selectFrom('package')
    .selectAll()
    .where('type', '=', kind.type)
    .where('name_key', '=', kind.keyOfName(name))
    .where(isWithin(packages))
    .executeTakeFirst()
}

/** A condition on `package`. A package is hidden with the repository it is linked to. */
const IS_SHOWN = sql<boolean>`not exists (select 1 from repository
  where repository.id = package.repository_id and repository.is_quarantined)`

/** Condition on `package`: packages of the owner that the caller may read. */
export function isWithin({ id, readsLinkedTo }: ReadablePackages): Expression<SqlBool> {
  const ofOwner = sql<boolean>`package.owner_id = ${id} and ${IS_SHOWN}`
  return readsLinkedTo === null
    ? sql<boolean>`(${ofOwner})`
    : sql<boolean>`(${ofOwner} and package.repository_id = any(${readsLinkedTo}::bigint[]))`
}

/** Locks a package that the caller may change, like `lockPackage`. Undefined if there is none. */
export async function lockToWrite(
  tx: Tx,
  packages: WritablePackages,
  kind: Kind,
  name: string,
): Promise<PackageRow | undefined> {
  const found = await findPackage(tx, packages, kind, name)
  const pkg = found && (await lockPackage(tx, found.id))
  if (pkg !== undefined) assertLinked(packages, pkg)
  return pkg
}

function assertLinked({ writesLinkedTo }: WritablePackages, { repository_id }: PackageRow): void {
  if (writesLinkedTo !== null && !writesLinkedTo.includes(repository_id ?? 0))
    throw forbidden('package is not linked to a repository of the token')
}

/** The repository that a new package is linked to. A token of several repositories creates none: see `assertLinked`. */
function homeOf({ writesLinkedTo }: WritablePackages): number | null {
  return writesLinkedTo?.length === 1 ? (writesLinkedTo[0] ?? null) : null
}

/** Locked, no version can be added. Undefined if the package was deleted. */
export function lockPackage(tx: Tx, id: number): Promise<PackageRow | undefined> {
  return tx.selectFrom('package').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Locks a package against deletion until the transaction ends, and creates it if needed. `isAlone` locks it against
 * other changes too.
 */
export async function holdPackage(
  tx: Tx,
  packages: WritablePackages,
  kind: Kind,
  name: string,
  now: Date,
  { isAlone = false } = {},
): Promise<PackageRow> {
  const key = { owner_id: packages.id, type: kind.type, name_key: kind.keyOfName(name) }
  const held = () =>
    tx
      .selectFrom('package')
      .selectAll()
      .where('owner_id', '=', key.owner_id)
      .where('type', '=', key.type)
      .where('name_key', '=', key.name_key)
      .$call((query) => (isAlone ? query.forUpdate() : query.forKeyShare()))
      .executeTakeFirst()
  const insert = () =>
    tx
      .insertInto('package')
      .values({ ...key, repository_id: homeOf(packages), name, created_at: now })
      .onConflict((conflict) => conflict.columns(['owner_id', 'type', 'name_key']).doNothing())
      .returningAll()
      .executeTakeFirst()
  const pkg = (await held()) ?? (await insert()) ?? (await held()) ?? raced()
  assertLinked(packages, pkg)
  return pkg
}

export interface NewVersion {
  readonly version: string
  readonly metadata: Facts
  readonly isInternal: boolean
  readonly creatorId: number | null
}

/** Locks a version against deletion until the transaction ends. */
export async function holdVersion(
  tx: Tx,
  pkg: PackageRow,
  kind: Kind,
  wanted: NewVersion,
  now: Date,
): Promise<{ readonly row: VersionRow; readonly isNew: boolean }> {
  const key = { package_id: pkg.id, version_key: kind.keyOfVersion(wanted.version) }
  const held = () =>
    tx
      .selectFrom('package_version')
      .selectAll()
      .where('package_id', '=', key.package_id)
      .where('version_key', '=', key.version_key)
      .forKeyShare()
      .executeTakeFirst()
  const there = await held()
  if (there !== undefined) return { row: there, isNew: false }
  const made = await tx
    .insertInto('package_version')
    .values({
      ...key,
      owner_id: pkg.owner_id,
      creator_id: wanted.creatorId,
      version: wanted.version,
      is_internal: wanted.isInternal,
      metadata: JSON.stringify(wanted.metadata),
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['package_id', 'version_key']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made !== undefined) return { row: made, isNew: true }
  return { row: (await held()) ?? raced(), isNew: false }
}

/**
 * Deleted concurrently between two statements. Uses the SQLSTATE of a serialization failure, so that the transaction
 * is retried.
 */
function raced(): never {
  throw Object.assign(new Error('package was deleted concurrently'), { code: '40001' })
}

/** Visible versions, newest first. */
export function selectShown(db: Db) {
  return db
    .selectFrom('package_version')
    .innerJoin('package', 'package.id', 'package_version.package_id')
    .where('package_version.is_internal', '=', false)
    .select([
      'package_version.id',
      'package_version.package_id',
      'package_version.version',
      'package_version.version_key',
      'package_version.creator_id',
      'package_version.created_at',
      'package.owner_id',
      'package.repository_id',
      'package.type',
      'package.name',
      'package.name_key',
    ])
    .orderBy('package_version.id', 'desc')
}

export interface Filter {
  readonly packages?: ReadablePackages
  readonly type?: string
  /** Substring of the name. */
  readonly part?: string
}

export function selectListed(db: Db, { packages, type, part }: Filter) {
  let rows = selectShown(db).where(IS_SHOWN)
  if (packages !== undefined) rows = rows.where('package_version.owner_id', '=', packages.id)
  const linkedTo = packages?.readsLinkedTo ?? null
  if (linkedTo !== null)
    rows = rows.where('package.repository_id', '=', sql<number>`any(${linkedTo}::bigint[])`)
  if (type) rows = rows.where('package.type', '=', type)
  if (part) rows = rows.where('package.name_key', 'like', containing(part.toLowerCase()))
  return rows
}

export function listShown(db: Db, filter: Filter, page: Page): Promise<Paged<ShownVersion>> {
  const { packages, type, part } = filter
  if (type || part || (packages?.readsLinkedTo ?? null) !== null)
    return takePage(selectListed(db, filter), page)
  // Every version has a package, so the join is not needed to count.
  let counted = db.selectFrom('package_version').where('is_internal', '=', false)
  if (packages !== undefined) counted = counted.where('owner_id', '=', packages.id)
  return takePage(selectListed(db, filter), page, counted)
}

export function selectShownOf(db: Db, packageId: number) {
  return selectShown(db).where('package_version.package_id', '=', packageId)
}

export function findShown(db: Db, packageId: number, versionKey: string): Promise<ShownVersion | undefined> {
  return selectShownOf(db, packageId).where('package_version.version_key', '=', versionKey).executeTakeFirst()
}

/** False if the package already has this link. */
export async function updateLink(tx: Tx, id: number, repositoryId: number | null): Promise<boolean> {
  const changed = await tx
    .updateTable('package')
    .set({ repository_id: repositoryId })
    .where('id', '=', id)
    .where(sql<boolean>`repository_id is distinct from ${repositoryId}`)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

export async function unlinkAll(tx: Tx, repositoryId: number): Promise<void> {
  await tx
    .updateTable('package')
    .set({ repository_id: null })
    .where('repository_id', '=', repositoryId)
    .execute()
}

/** Whether an owner has visible packages. */
export async function ownsPackages(db: Db, ownerId: number): Promise<boolean> {
  const found = await db
    .selectFrom('package_version')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('is_internal', '=', false)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
