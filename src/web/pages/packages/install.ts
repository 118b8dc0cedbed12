/** The command that installs a version of a package, by type. */
import type { Site } from '#platform/site'
import type { Package, PackageFile } from '../../gen/contract.ts'
import { path } from '../../links.ts'
import { shellWord } from '../../parts/command.ts'

interface Version extends Pick<Package, 'type' | 'name' | 'version'> {
  readonly owner: { readonly login: string }
}

type Files = readonly Pick<PackageFile, 'name'>[]

/** A version may have thousands of files. */
const FILES_MAX = 5

/** Undefined for a type that no client installs, or a version without files. */
export function installCommand(
  site: Pick<Site, 'url' | 'host'>,
  it: Version,
  files: Files,
): string | undefined {
  const { type, name, version, owner } = it
  const registry = `${site.url}${path('api', 'packages', owner.login, type)}`
  if (type === 'npm') return npm(name, version, `${registry}/`)
  if (type === 'pypi')
    return `pip install --index-url ${registry}/simple/ ${shellWord(`${name}==${version}`)}`
  if (type === 'container') {
    const image = `${site.host}/${owner.login.toLowerCase()}/${name}`
    return `docker pull ${shellWord(`${image}${version.startsWith('sha256:') ? '@' : ':'}${version}`)}`
  }
  if (type !== 'generic' || files.length === 0) return undefined
  return files
    .slice(0, FILES_MAX)
    .map((file) => curl(registry, it, file.name))
    .join('\n')
}

/** The registry of a scope leaves dependencies of other scopes to the client's own registry. */
function npm(name: string, version: string, registry: string): string {
  const [scope] = /^@[^/]+(?=\/)/.exec(name) ?? []
  return `npm install ${shellWord(`${name}@${version}`)} --${scope === undefined ? '' : `${scope}:`}registry=${registry}`
}

/** Curl would name the file as its address is encoded. */
function curl(registry: string, { name, version }: Version, file: string): string {
  const isPlain = encodeURIComponent(file) === file && shellWord(file) === file
  const address = shellWord(`${registry}${path(name, version, file)}`)
  return isPlain ? `curl -fO ${address}` : `curl -f -o ${shellWord(file)} ${address}`
}
