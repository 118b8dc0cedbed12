/** What is stored with a version of a package, in the form that its type here has. */
import { buffer } from 'node:stream/consumers'
import { readManifest } from '#domains/packages/packages'
import type { Move } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { idsOf, number, object, text, word } from '../source/fields.ts'

const MANIFEST_BYTES_MAX = 4_194_304
/** Gitea's name and that of package.json. */
const NPM: readonly (readonly [string, string])[] = [
  ['description', 'description'],
  ['license', 'license'],
  ['project_url', 'homepage'],
  ['keywords', 'keywords'],
  ['dependencies', 'dependencies'],
  ['bundleDependencies', 'bundleDependencies'],
  ['development_dependencies', 'devDependencies'],
  ['peer_dependencies', 'peerDependencies'],
  ['peer_dependencies_meta', 'peerDependenciesMeta'],
  ['optional_dependencies', 'optionalDependencies'],
  ['bin', 'bin'],
  ['engines', 'engines'],
  ['cpu', 'cpu'],
  ['os', 'os'],
  ['directories', 'directories'],
  ['funding', 'funding'],
  ['has_install_script', 'hasInstallScript'],
  ['has_shrinkwrap', '_hasShrinkwrap'],
  ['deprecated', 'deprecated'],
]
const PYPI: readonly (readonly [string, string])[] = [
  ['author', 'author'],
  ['summary', 'summary'],
  ['long_description', 'description'],
  ['project_url', 'home_page'],
  ['license', 'license'],
  ['requires_python', 'requires_python'],
]

export function factsOf(type: string, row: SourceRow): object {
  const theirs = object(row.metadata_json)
  if (type === 'npm') return npmFacts(row, theirs)
  if (type === 'pypi')
    return { name: text(row.package_name), version: text(row.version), ...renamed(theirs, PYPI) }
  return {}
}

function npmFacts(row: SourceRow, theirs: Readonly<Record<string, unknown>>): object {
  const { author, repository } = theirs
  const url = (repository as { url?: string } | undefined)?.url ?? ''
  return {
    name: text(row.package_name),
    version: text(row.version),
    ...renamed(theirs, NPM),
    ...(typeof author === 'string' && author !== '' ? { author: { name: author } } : {}),
    ...(url === '' ? {} : { repository }),
  }
}

function renamed(
  theirs: Readonly<Record<string, unknown>>,
  names: readonly (readonly [string, string])[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap(([from, to]) =>
      theirs[from] === undefined || theirs[from] === null ? [] : [[to, theirs[from]]],
    ),
  )
}

/** Reads the manifests of images; one that is unreadable is missing. */
export async function readManifests(move: Move, batch: readonly SourceRow[]): Promise<Map<number, object>> {
  const ids = idsOf(
    batch.filter((row) => text(row.type) === 'container'),
    'id',
  )
  const { packages: files } = move.source.files
  const found = new Map<number, object>()
  if (ids.length === 0) return found
  const rows = await move.source.rows(
    `select f.version_id, b.hash_sha256, m.value as media from package_file as f join package_blob as b on b.id = f.blob_id
     left join package_property as m on m.ref_id = f.id and m.ref_type = 1 and m.name = 'container.mediatype'
     where f.name = 'manifest.json' and f.version_id in (${ids.join(', ')})`,
  )
  for (const row of rows) {
    const sha256 = word(row.hash_sha256)
    const path = pathOf(sha256)
    const size = (await files.sizeOf(path)) ?? Number.POSITIVE_INFINITY
    if (size > MANIFEST_BYTES_MAX) continue
    try {
      const { facts } = readManifest(await buffer(await files.read(path)), text(row.media))
      found.set(number(row.version_id), { ...facts, digest: `sha256:${sha256}`, size })
    } catch {
      // The row is left out with its reason.
    }
  }
  return found
}

export function pathOf(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}
