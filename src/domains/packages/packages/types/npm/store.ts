/** SQL on npm packages: tags, and versions with their file. */
import { sql } from 'kysely'
import { containing, type Db, type Tx, takePage } from '#platform/db'
import type { ReadablePackages } from '../../access/open-packages.ts'
import { isWithin } from '../../records/store.ts'
import type { PackageRow } from '../../tables.ts'

export type Tags = Readonly<Record<string, string>>

export function tagsOf({ properties }: Pick<PackageRow, 'properties'>): Tags {
  return (properties.tags ?? {}) as Tags
}

export async function mergeTags(tx: Tx, packageId: number, tags: Tags): Promise<void> {
  await sql`update package set properties = jsonb_set(properties, '{tags}',
      coalesce(properties -> 'tags', '{}') || ${JSON.stringify(tags)}::jsonb)
    where id = ${packageId}`.execute(tx)
}

export async function removeTag(tx: Tx, packageId: number, tag: string): Promise<void> {
  await sql`update package set properties = jsonb_set(properties, '{tags}',
      coalesce(properties -> 'tags', '{}') - ${tag}::text)
    where id = ${packageId}`.execute(tx)
}

/** Messages by version; an empty one removes the deprecation. */
export async function deprecateVersions(
  tx: Tx,
  packageId: number,
  said: Readonly<Record<string, string>>,
): Promise<void> {
  await sql`update package_version set metadata = case said.value when '' then metadata - 'deprecated'
      else jsonb_set(metadata, '{deprecated}', to_jsonb(said.value)) end
    from jsonb_each_text(${JSON.stringify(said)}::jsonb) said
    where package_id = ${packageId} and not is_internal and version = said.key
      and coalesce(metadata ->> 'deprecated', '') <> said.value`.execute(tx)
}

export interface FoundPackage {
  readonly name: string
  readonly version: string
  readonly description: unknown
  readonly keywords: unknown
  readonly author: unknown
  readonly created_at: Date
}

/** Limit of a free-text field in search results, of which there are hundreds; longer values are left out. */
const FIELD_LENGTH_MAX = 4_096

function fieldOf<Name extends string>(name: Name) {
  const field = sql`(newest.metadata -> ${sql.lit(name)})`
  return sql<unknown>`case when length(${field}::text) <= ${sql.lit(FIELD_LENGTH_MAX)} then ${field} end`.as(
    name,
  )
}

/** Packages whose name contains `part`, each with its newest version. */
export function searchPackages(
  db: Db,
  packages: ReadablePackages,
  part: string,
  page: { readonly limit: number; readonly offset: number },
) {
  const found = db
    .selectFrom('package')
    .where('package.type', '=', 'npm')
    .where(isWithin(packages))
    .where('package.name_key', 'like', containing(part.toLowerCase()))
  const rows = found
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('package_version')
          .select(['version', 'metadata', 'created_at'])
          .whereRef('package_version.package_id', '=', 'package.id')
          .where('package_version.is_internal', '=', false)
          .orderBy('package_version.id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select(['package.name', 'newest.version', 'newest.created_at'])
    .select([fieldOf('description'), fieldOf('keywords'), fieldOf('author')])
    .orderBy('package.name_key')
  return takePage(rows, page, found)
}
