/** Lists the repositories of an organization of GitHub, or of a group of GitLab with its subgroups. */
import { type Static, Type } from 'typebox'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { cut, flag, text } from '../sources/fields.ts'
import { listFrom } from '../sources/list-pages.ts'
import { sealCredentials } from '../sources/source.ts'
import { openApi, type SourceApi } from '../sources/source-api.ts'

export interface Organization {
  readonly service: 'github' | 'gitlab'
  /** Its name, or the path of the group. */
  readonly path: string
  readonly tokens: readonly string[]
  /** The address of the API; null for the public one. */
  readonly api: string | null
}

export interface ListedRepository {
  /** Below the organization: `site`, or of a subgroup `tools/site`. */
  readonly path: string
  readonly url: string
  readonly description: string
  readonly isPrivate: boolean
}

const REPOSITORIES_MAX = 10_000
const DESCRIPTION_MAX = 2_048
const PUBLIC = { github: 'https://api.github.com', gitlab: 'https://gitlab.com/api/v4' } as const
const words = { many: 'repositories', one: 'repository', path: '' }
const GitHubRepository = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  clone_url: Type.String({ maxLength: 2_048 }),
  private: Type.Boolean(),
  description: text,
})
const GitLabProject = Type.Object({
  path_with_namespace: Type.String({ minLength: 1, maxLength: 1_024 }),
  http_url_to_repo: Type.String({ maxLength: 2_048 }),
  visibility: Type.String(),
  description: text,
  empty_repo: flag,
})

export async function* listRepositories(
  ctx: Context,
  organization: Organization,
): AsyncGenerator<ListedRepository> {
  const api = apiOf(ctx, organization)
  let count = 0
  for await (const repository of organization.service === 'github'
    ? listOfGitHub(ctx, api, organization.path)
    : listOfGitLab(ctx, api, organization.path)) {
    count += 1
    if (count > REPOSITORIES_MAX) throw invalid('organization has too many repositories')
    yield repository
  }
}

function apiOf(ctx: Context, { service, tokens, api }: Organization): SourceApi {
  const [password = ''] = tokens
  const root = api ?? PUBLIC[service]
  const options = { url: new URL('/owner/name', root).href, service, apiUrl: root }
  const credentials = sealCredentials(ctx, { username: '', password, tokens })
  return openApi(ctx, { options, credentials, faults: 0 })
}

async function* listOfGitHub(ctx: Context, api: SourceApi, name: string): AsyncGenerator<ListedRepository> {
  const address = `${api.root}/orgs/${encodeURIComponent(name)}/repos?type=all&sort=full_name&`
  for await (const { items } of listFrom(ctx, api, address, { ...words, item: GitHubRepository }))
    for (const { name, clone_url, description, ...it } of items as Static<typeof GitHubRepository>[])
      yield {
        path: name,
        url: clone_url,
        description: cut(description, DESCRIPTION_MAX),
        isPrivate: it.private,
      }
}

async function* listOfGitLab(ctx: Context, api: SourceApi, path: string): AsyncGenerator<ListedRepository> {
  const address = `${api.root}/groups/${encodeURIComponent(path)}/projects?include_subgroups=true&with_shared=false&order_by=id&sort=asc&`
  for await (const { items } of listFrom(ctx, api, address, { ...words, item: GitLabProject }))
    for (const it of items as Static<typeof GitLabProject>[])
      yield {
        path: it.path_with_namespace.toLowerCase().startsWith(`${path.toLowerCase()}/`)
          ? it.path_with_namespace.slice(path.length + 1)
          : it.path_with_namespace,
        url: it.http_url_to_repo,
        description: cut(it.description, DESCRIPTION_MAX),
        // `internal` is for those who signed in there, whom nobody here knows.
        isPrivate: it.visibility !== 'public',
      }
}
