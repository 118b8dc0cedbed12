/** Pull side of the container registry: blobs, manifests, tags, referrers and the catalog. */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type Expression, type SqlBool, sql } from 'kysely'
import { atLeast, isJob, isLimited, levelOf, type Restriction } from '#domains/people/access'
import { lacksSecondFactor } from '#domains/people/users'
import type { Actor, Context } from '#platform/context'
import type { RawAnswer } from '#platform/rest'
import type { ReadablePackages } from '../../access/open-packages.ts'
import { serveBlob } from '../../blobs/serve-blob.ts'
import { listFitting, streamMetadata } from '../../records/metadata.ts'
import { findPackage } from '../../records/store.ts'
import type { PackageRow } from '../../tables.ts'
import { type ManifestFacts, OCI_INDEX } from './manifest.ts'
import { KIND } from './names.ts'
import { answer, jsonAnswer } from './registry.ts'
import { findManifest, listReferrers, selectTags } from './store.ts'
import { getContent, unknown } from './write.ts'

export interface Asked {
  readonly ctx: Context
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly isHead: boolean
}
export interface PageQuery {
  readonly n?: number
  readonly last?: string
}

const PAGE_MAX = 1_000

async function getImage(ctx: Context, packages: ReadablePackages, image: string): Promise<PackageRow> {
  const pkg = await findPackage(ctx.db, packages, KIND, image)
  if (pkg === undefined) throw unknown('NAME_UNKNOWN', 'repository is unknown')
  return pkg
}

export async function readContent(
  asked: Asked,
  packages: ReadablePackages,
  image: string,
  digest: string,
): Promise<RawAnswer> {
  const pkg = await getImage(asked.ctx, packages, image)
  const blob = await getContent(asked.ctx, pkg.id, digest)
  return serveBlob(asked, blob, digest, { 'docker-content-digest': digest, etag: `"${digest}"` })
}

export async function readManifestOf(
  asked: Asked,
  packages: ReadablePackages,
  image: string,
  reference: string,
): Promise<RawAnswer> {
  const pkg = await getImage(asked.ctx, packages, image)
  const found = await findManifest(asked.ctx.db, pkg.id, reference)
  if (found === undefined) throw unknown('MANIFEST_UNKNOWN', 'manifest is unknown')
  const { digest, mediaType } = found.metadata as unknown as ManifestFacts
  const headers = { 'content-type': mediaType, 'docker-content-digest': digest, etag: `"${digest}"` }
  return serveBlob({ ...asked, headers: {} }, found, 'manifest.json', headers)
}

export async function readTags(
  ctx: Context,
  packages: ReadablePackages,
  image: string,
  { n, last = '' }: PageQuery,
): Promise<RawAnswer> {
  const pkg = await getImage(ctx, packages, image)
  const name = `${packages.owner.login.toLowerCase()}/${pkg.name}`
  const limit = limitOf(n)
  const rows = await selectTags(ctx.db, pkg.id, last)
    .limit(limit + 1)
    .execute()
  const tags = rows.slice(0, limit).map(({ version }) => version)
  return jsonAnswer(
    { name, tags },
    nextLink(`/v2/${name}/tags/list`, limit, tags.at(-1), rows.length > limit),
  )
}

export async function readReferrers(
  ctx: Context,
  packages: ReadablePackages,
  image: string,
  digest: string,
  artifactType: string | undefined,
): Promise<RawAnswer> {
  // Clients expect an empty list of referrers for an image that does not exist.
  const pkg = await findPackage(ctx.db, packages, KIND, image)
  const ids = pkg === undefined ? [] : await listReferrers(ctx.db, pkg.id, digest, artifactType)
  const headers = {
    'content-type': OCI_INDEX,
    ...(artifactType && { 'oci-filters-applied': 'artifactType' }),
  }
  return answer(200, headers, Readable.from(writeIndex(ctx, ids)))
}

const DESCRIPTOR = sql`select jsonb_object_agg(key, value) from jsonb_each(metadata)
  where key in ('mediaType', 'digest', 'size', 'artifactType', 'annotations')`

async function* writeIndex(ctx: Context, ids: readonly number[]): AsyncGenerator<string> {
  let between = ''
  yield `{"schemaVersion":2,"mediaType":${JSON.stringify(OCI_INDEX)},"manifests":[`
  for await (const { text } of streamMetadata(
    ctx.db,
    await listFitting(ctx.db, ids, DESCRIPTOR),
    DESCRIPTOR,
  )) {
    yield between + text
    between = ','
  }
  yield ']}'
}

/** All images that the caller may read, by name. */
export async function readCatalog(ctx: Context, { n, last = '' }: PageQuery): Promise<RawAnswer> {
  const limit = limitOf(n)
  const [owner = '', ...image] = last.split('/')
  const rows = await selectImages(ctx, owner, image.join('/'))
    .limit(limit + 1)
    .execute()
  const repositories = rows.slice(0, limit).map(({ login_key, name_key }) => `${login_key}/${name_key}`)
  return jsonAnswer(
    { repositories },
    nextLink('/v2/_catalog', limit, repositories.at(-1), rows.length > limit),
  )
}

export function selectImages(ctx: Context, owner: string, image: string) {
  return ctx.db
    .selectFrom('package')
    .innerJoin('account', 'account.id', 'package.owner_id')
    .select(['account.login_key', 'package.name_key'])
    .where('package.type', '=', KIND.type)
    .where(
      sql<boolean>`(account.login_key collate "C", package.name_key) > (${owner.toLowerCase()}::text collate "C", ${image}::text)`,
    )
    .where(isReadable(ctx))
    .orderBy(sql`account.login_key collate "C"`)
    .orderBy('package.name_key')
}

/** The rule of `access/open-packages.ts`, as SQL for lists. */
function isReadable({ actor }: Context): Expression<SqlBool> {
  if (actor?.isAdmin && !actor.publicOnly) return sql<boolean>`true`
  return sql<boolean>`(not account.is_suspended and ${isOpenTo(actor)})`
}

function isOpenTo(actor: Actor | null): Expression<SqlBool> {
  if (!isLimited(actor?.restriction)) return isOpenToAccount(actor)
  const { restriction } = actor
  const within = isWithinRestriction(restriction)
  return isJob(actor)
    ? sql<boolean>`(account.visibility = 'public' or ${within})`
    : sql<boolean>`(${within} and ${isOpenToAccount(actor)})`
}

function isOpenToAccount(actor: Actor | null): Expression<SqlBool> {
  if (actor === null || actor.publicOnly) return sql<boolean>`account.visibility = 'public'`
  const takesPart = lacksSecondFactor(actor.account) ? sql`not account.requires_second_factor` : sql`true`
  const limited = actor.isRestricted ? sql`false` : sql`account.visibility = 'limited'`
  return sql<boolean>`(account.visibility = 'public' or ${limited} or account.id = ${actor.id}
    or exists (select 1 from membership where membership.organization_id = account.id
      and membership.user_id = ${actor.id} and ${takesPart}))`
}

/** Packages of the owners that the credential names, and those linked to its repositories. */
function isWithinRestriction(restriction: Restriction): Expression<SqlBool> {
  if (!atLeast(levelOf(restriction, 'packages'), 'read')) return sql<boolean>`false`
  const within = restriction.places.map(
    ({ repositories, owners }) =>
      sql<boolean>`(package.owner_id = any(${owners}::bigint[])
        or package.repository_id = any(${repositories}::bigint[]))`,
  )
  return within.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(within, sql` and `)})`
}

function limitOf(n: number | undefined): number {
  return Math.min(n !== undefined && n >= 0 ? n : PAGE_MAX, PAGE_MAX)
}

function nextLink(
  path: string,
  limit: number,
  last: string | undefined,
  hasMore: boolean,
): Record<string, string> {
  if (!hasMore || last === undefined) return {}
  return { link: `<${path}?n=${limit}&last=${encodeURIComponent(last)}>; rel="next"` }
}
