/** The npm document (packument) of a package. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { VersionFile } from '../../records/file-store.ts'
import { listFitting, streamMetadata } from '../../records/metadata.ts'
import type { PackageRow } from '../../tables.ts'
import { integrityOf } from './publication.ts'
import { type FoundPackage, type Tags, tagsOf } from './store.ts'

export interface Place {
  readonly site: Site
  readonly owner: string
}

export function registryUrl({ site, owner }: Place): string {
  return `${site.url}/api/packages/${encodeURIComponent(owner)}/npm`
}

/** Tags of existing versions. Without `latest` nothing could be installed, so it defaults to the newest version. */
export function liveTags(pkg: PackageRow, files: readonly VersionFile[]): Tags {
  const versions = new Set(files.map(({ version }) => version))
  const live = Object.entries(tagsOf(pkg)).filter(([, version]) => versions.has(version))
  const newest = files.at(-1)?.version
  return { ...(newest !== undefined && { latest: newest }), ...Object.fromEntries(live) }
}

/** Identifies a state of the document; a client that changes it must send the revision it has seen. */
export function revisionOf(pkg: PackageRow, files: readonly VersionFile[]): string {
  const seen = JSON.stringify([files.map(({ version }) => version), liveTags(pkg, files)])
  return `${files.length}-${createHash('sha256').update(seen).digest('hex').slice(0, 32)}`
}

/**
 * Suffix of the revision of a document that does not list all versions; such a revision cannot be used to change a
 * package.
 */
export const PARTIAL = '-partial'

/** Fields of the latest version that are repeated at the top of the document. */
const TOP = ['description', 'homepage', 'keywords', 'repository', 'author', 'license', 'bugs']
const SHOWN = sql`metadata - '_id' - 'dist'`
const SHOWN_ON_TOP = sql`select jsonb_object_agg(key, value) from jsonb_each(metadata) where key = any(${TOP}::text[])`

/** Streamed: the latest version and the newest ones, as far as they fit. */
export async function* writeDocument(
  ctx: Context,
  pkg: PackageRow,
  files: readonly VersionFile[],
  owner: string,
): AsyncGenerator<string> {
  const told = await listTold(ctx, pkg, files)
  const byId = new Map(told.map((file) => [file.version_id, file]))
  const tags = liveTags(pkg, told)
  const head = {
    _id: pkg.name,
    _rev: revisionOf(pkg, files) + (told.length < files.length ? PARTIAL : ''),
    name: pkg.name,
    'dist-tags': tags,
    time: {
      created: time(pkg.created_at),
      modified: time(files.at(-1)?.published_at ?? pkg.created_at),
      ...Object.fromEntries(told.map(({ version, published_at }) => [version, time(published_at)])),
    },
  }
  yield JSON.stringify(head).slice(0, -1)
  const latest = told.filter(({ version }) => version === tags.latest).map((it) => it.version_id)
  for await (const { text } of streamMetadata(ctx.db, latest, SHOWN_ON_TOP)) yield `,${text.slice(1, -1)}`
  yield ',"versions":{'
  let between = ''
  for await (const { id, text } of streamMetadata(ctx.db, [...byId.keys()], SHOWN)) {
    const file = must(byId.get(id), 'only these were asked for')
    yield between + versionRecord(pkg.name, file, text, { site: ctx.site, owner })
    between = ','
  }
  yield '}}'
}

/** Oldest version first. */
async function listTold(
  ctx: Context,
  pkg: PackageRow,
  files: readonly VersionFile[],
): Promise<VersionFile[]> {
  const { latest } = liveTags(pkg, files)
  const isLatest = ({ version }: VersionFile) => version === latest
  const inOrder = [...files.filter(isLatest), ...files.filter((it) => !isLatest(it)).reverse()]
  const ids = inOrder.map((it) => it.version_id)
  const fitting = new Set(await listFitting(ctx.db, ids, SHOWN))
  return files.filter(({ version_id }) => fitting.has(version_id))
}

/** `text`: the metadata of the version, an object with at least its name. */
function versionRecord(name: string, file: VersionFile, text: string, place: Place): string {
  const path = [name, '-', file.version, file.name].map(encodeURIComponent).join('/')
  const own = {
    _id: `${name}@${file.version}`,
    dist: {
      integrity: integrityOf(file.sha512),
      shasum: file.sha1,
      tarball: `${registryUrl(place)}/${path}`,
    },
  }
  return `${JSON.stringify(file.version)}:${text.slice(0, -1)},${JSON.stringify(own).slice(1)}`
}

export function searchResultOf(found: FoundPackage, place: Place): object {
  return {
    package: {
      scope: /^@([^/]+)\//.exec(found.name)?.[1] ?? 'unscoped',
      name: found.name,
      version: found.version,
      description: found.description ?? undefined,
      keywords: found.keywords ?? [],
      author: found.author ?? undefined,
      date: time(found.created_at),
      maintainers: [],
      links: { npm: `${place.site.url}/${place.owner}/-/packages/npm/${encodeURIComponent(found.name)}` },
    },
    score: { final: 1, detail: { quality: 1, popularity: 1, maintenance: 1 } },
    searchScore: 1,
  }
}
