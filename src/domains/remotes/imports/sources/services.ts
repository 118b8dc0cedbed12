/** What differs between the REST APIs of sources: where they are, and how they are asked. Pure. */
import { authorizationOf, type Remote } from '#git'
import { invalid } from '#platform/problem'
import type { Host } from '../tables.ts'

export interface Service {
  /** Path of the API on the host of the repository. */
  readonly api: string
  /** The repository below the API, by its path on the host. */
  repository(path: string): string
  authorization(source: Remote, token: string): string | undefined
  /** A page that is not full and names no next one is the last. */
  readonly endsEarly: boolean
}

const bearer = (_: Remote, token: string) => (token === '' ? undefined : `Bearer ${token}`)

const GITEA: Service = {
  api: '/api/v1',
  repository: (path) => `/repos/${path}`,
  authorization: (source, token) => authorizationOf({ ...source, password: token }),
  endsEarly: false,
}
const SERVICES: Readonly<Record<string, Service>> = {
  gitea: GITEA,
  forgejo: GITEA,
  github: { ...GITEA, api: '/api/v3', authorization: bearer, endsEarly: true },
  gitlab: {
    api: '/api/v4',
    repository: (path) => `/projects/${encodeURIComponent(path)}`,
    authorization: bearer,
    endsEarly: true,
  },
}

/** Undefined for services without a REST API that is known here. */
export function findService(name: string): Service | undefined {
  return Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined
}

interface Told {
  readonly name: string
  readonly service: Service
}

export interface ApiAddress {
  /** Of the whole API, without a slash at its end. */
  readonly root: string
  readonly repository: string
}

/** Derived from the clone URL: the API lies on the same host, except for github.com. `given`: where it is instead. */
export function addressOf(service: string, url: string, given: string | null): ApiAddress {
  const { api, repository } = getService(service)
  const { origin, pathname } = new URL(url)
  const path = pathname
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/^\/+/, '')
  const parts = path.split('/')
  // Projects of GitLab lie in groups of groups; repositories of others may lie below a path of their server.
  const inside = service === 'gitlab' ? parts : parts.slice(-2)
  if (parts.length < 2) throw invalid('Migration failed: clone address is not a repository of this service')
  const above = parts.slice(0, parts.length - inside.length).map((part) => `/${part}`)
  const isPublicGitHub = service === 'github' && /^https?:\/\/(www\.)?github\.com$/i.test(origin)
  const derived = isPublicGitHub ? PUBLIC_GITHUB : origin + above.join('') + api
  const root = (given ?? derived).replace(/\/+$/, '')
  return { root, repository: root + repository(inside.join('/')) }
}

const PUBLIC_GITHUB = 'https://api.github.com'

/**
 * The forge that serves the API, and so the records, whatever the clone URL says. Null if the address may lead to
 * something else of its server, such as a file that a user put there.
 */
export function hostOf({ name, service, root, repository }: ApiAddress & Told): Host | null {
  const { origin, pathname, search } = new URL(root)
  if (search !== '') return null
  const address = origin + pathname.replace(/\/+$/, '')
  const isWhole = address.endsWith(service.api)
  const url = isWhole ? address.slice(0, -service.api.length) : address
  if (name === 'github') return { service: name, url: url === PUBLIC_GITHUB ? 'https://github.com' : url }
  if (!isWhole) return null
  if (name === 'gitlab') return { service: name, url }
  return repository.includes('%') ? null : { service: 'gitea', url }
}

export function getService(name: string): Service {
  const service = findService(name)
  if (service === undefined) throw invalid('Migration failed: this service has no API')
  return service
}
