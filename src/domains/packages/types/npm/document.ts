/** The document of a package, as npm reads it. Pure. */
import { createHash } from 'node:crypto'
import { time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { VersionFile } from '../../records/file-store.ts'
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

/** Tags of versions that are still there. Without a latest one nothing could be installed, so the newest is it. */
export function liveTags(pkg: PackageRow, files: readonly VersionFile[]): Tags {
  const versions = new Set(files.map(({ version }) => version))
  const live = Object.entries(tagsOf(pkg)).filter(([, version]) => versions.has(version))
  const newest = files.at(-1)?.version
  return { ...(newest !== undefined && { latest: newest }), ...Object.fromEntries(live) }
}

/** The state of a document: whoever changes it says which one they have seen. */
export function revisionOf(pkg: PackageRow, files: readonly VersionFile[]): string {
  const seen = JSON.stringify([files.map(({ version }) => version), liveTags(pkg, files)])
  return `${files.length}-${createHash('sha256').update(seen).digest('hex').slice(0, 32)}`
}

export function documentOf(pkg: PackageRow, files: readonly VersionFile[], place: Place): object {
  const tags = liveTags(pkg, files)
  const latest = files.find(({ version }) => version === tags.latest)?.metadata ?? {}
  const { description, homepage, keywords, repository, author, license, bugs } = latest
  return {
    _id: pkg.name,
    _rev: revisionOf(pkg, files),
    name: pkg.name,
    description,
    'dist-tags': tags,
    versions: Object.fromEntries(files.map((file) => [file.version, versionRecord(pkg.name, file, place)])),
    time: {
      created: time(pkg.created_at),
      modified: time(files.at(-1)?.published_at ?? pkg.created_at),
      ...Object.fromEntries(files.map(({ version, published_at }) => [version, time(published_at)])),
    },
    homepage,
    keywords,
    repository,
    author,
    license,
    bugs,
  }
}

function versionRecord(name: string, file: VersionFile, place: Place): object {
  const path = [name, '-', file.version, file.name].map(encodeURIComponent).join('/')
  return {
    ...file.metadata,
    _id: `${name}@${file.version}`,
    dist: {
      integrity: integrityOf(file.sha512),
      shasum: file.sha1,
      tarball: `${registryUrl(place)}/${path}`,
    },
  }
}

export function searchResultOf(found: FoundPackage, place: Place): object {
  const { description, keywords, author } = found.metadata
  return {
    package: {
      scope: /^@([^/]+)\//.exec(found.name)?.[1] ?? 'unscoped',
      name: found.name,
      version: found.version,
      description,
      keywords: keywords ?? [],
      author,
      date: time(found.created_at),
      maintainers: [],
      links: { npm: `${place.site.url}/${place.owner}/-/packages/npm/${encodeURIComponent(found.name)}` },
    },
    score: { final: 1, detail: { quality: 1, popularity: 1, maintenance: 1 } },
    searchScore: 1,
  }
}
