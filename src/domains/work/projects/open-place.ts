/** Opening the places where projects are kept: a repository, or an account for all of its repositories. */

import { assertUnarchived, openToSee, projectsModeOf, type Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import { hasUnitInOrg, openOrg } from '#domains/people/orgs'
import { type Account, openUser } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import type { ProjectRow } from './tables.ts'

/** What a project is, by where it is kept, as clients call it. */
export type ProjectType = 'individual' | 'repository' | 'organization'

/** Where some projects are: an account, and a repository of it unless they are of the account itself. */
export interface Home {
  readonly type: ProjectType
  readonly owner: { readonly id: number; readonly login: string }
  readonly repo: Repository | null
}

declare const opened: unique symbol
/** Proof that the caller may read the projects that are kept there. */
export interface ProjectPlace extends Home {
  readonly [opened]: true
}
/** Proof that the caller may change them, and that a repository is not archived. */
export interface WritablePlace extends ProjectPlace {
  readonly actor: SignedIn
}

interface RepositoryPath {
  readonly owner: string
  readonly repo: string
}

/** Compat: where a repository leaves projects to its owner, it has none for anybody. */
export async function openInRepository(ctx: Context, path: RepositoryPath): Promise<ProjectPlace> {
  const repo = await openToSee(ctx, path)
  if (projectsModeOf(repo) === 'owner') throw notFound('projects', `${path.owner}/${path.repo}`)
  if (!mayReadProjects(repo))
    throw forbidden('user should have specific read permission or be a repo admin or a site admin')
  return { type: 'repository', owner: repo.owner, repo } as Home as ProjectPlace
}

export async function openToWriteInRepository(ctx: Context, path: RepositoryPath): Promise<WritablePlace> {
  const place = await openInRepository(ctx, path)
  const actor = asSignedIn({ ctx })
  const access = place.repo?.access
  if (access === undefined || !(may(access, 'write', 'projects') || may(access, 'admin')))
    throw forbidden('user should have a permission to write to a repo')
  assertUnarchived({ access })
  return { ...place, actor }
}

/** Everybody writes their own. */
export async function openOwn(ctx: Context): Promise<WritablePlace> {
  const actor = asSignedIn({ ctx })
  const home: Home = { type: 'individual', owner: actor, repo: null }
  return { ...(home as ProjectPlace), actor }
}

/** Of a person or an organization. */
export async function openOfAccount(ctx: Context, login: string): Promise<ProjectPlace> {
  const owner = await openUser(ctx, login)
  return { type: typeOf(owner), owner, repo: null } as Home as ProjectPlace
}

export async function openInOrg(ctx: Context, name: string): Promise<ProjectPlace> {
  const owner = await openOrg(ctx, name)
  return { type: 'organization', owner, repo: null } as Home as ProjectPlace
}

/** Compat: whoever may not is told that there is nothing. */
export async function openToWriteInOrg(ctx: Context, name: string): Promise<WritablePlace> {
  const place = await openInOrg(ctx, name)
  const actor = asSignedIn({ ctx })
  if (!(await hasUnitInOrg(ctx, place.owner, 'projects', 'write'))) throw notFound('projects', name)
  return { ...place, actor }
}

/** Where a project is that issues of a repository can be in: there, or with its owner. */
export function homeOf(project: ProjectRow, repo: Repository): Home {
  const { owner } = repo
  if (project.repository_id !== null) return { type: 'repository', owner, repo }
  return { type: typeOf(owner), owner, repo: null }
}

/** Whether the projects of a repository are there for the caller. */
export function showsProjects(repo: Repository): boolean {
  return projectsModeOf(repo) !== 'owner' && mayReadProjects(repo)
}

function typeOf({ kind }: Account): ProjectType {
  return kind === 'organization' ? 'organization' : 'individual'
}

/** Compat: whoever administers a repository also has its projects while they are switched off. */
function mayReadProjects({ access }: Repository): boolean {
  return may(access, 'read', 'projects') || may(access, 'admin')
}
