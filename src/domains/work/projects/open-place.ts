/** Opens the owners of projects: a repository, or an account for all its repositories. */

import { assertUnarchived, openToSee, projectsModeOf, type Repository } from '#domains/code/repositories'
import { isLimited, may } from '#domains/people/access'
import { hasUnitInOrg, openOrg } from '#domains/people/orgs'
import { type Account, openUser } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn, type SignedIn } from '#platform/rest'
import type { ProjectRow } from './tables.ts'

/** The kind of project by its owner, in API terms. */
export type ProjectType = 'individual' | 'repository' | 'organization'

/** The owner of projects: an account, or one of its repositories. */
export interface Home {
  readonly type: ProjectType
  readonly owner: { readonly id: number; readonly login: string }
  readonly repo: Repository | null
}

declare const opened: unique symbol
/** Proof that the caller may read these projects. */
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

/** Compat: a repository with projects mode `owner` has none of its own, for any caller. */
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

/** Users may write their own projects. */
export async function openOwn(ctx: Context): Promise<WritablePlace> {
  const actor = asSignedIn({ ctx })
  const home: Home = { type: 'individual', owner: actor, repo: null }
  return { ...(home as ProjectPlace), actor }
}

/** Of a user or organization. */
export async function openOfAccount(ctx: Context, login: string): Promise<ProjectPlace> {
  const owner = await openUser(ctx, login)
  return { type: typeOf(owner), owner, repo: null } as Home as ProjectPlace
}

export async function openInOrg(ctx: Context, name: string): Promise<ProjectPlace> {
  const owner = await openOrg(ctx, name)
  return { type: 'organization', owner, repo: null } as Home as ProjectPlace
}

/** Compat: a caller without write access gets 404. */
export async function openToWriteInOrg(ctx: Context, name: string): Promise<WritablePlace> {
  const place = await openInOrg(ctx, name)
  const actor = asSignedIn({ ctx })
  if (!(await hasUnitInOrg(ctx, place.owner, 'projects', 'write'))) throw notFound('projects', name)
  return { ...place, actor }
}

/** The owner of a project that contains issues of this repository: the repository or its owner. */
export function homeOf(project: ProjectRow, repo: Repository): Home {
  const { owner } = repo
  if (project.repository_id !== null) return { type: 'repository', owner, repo }
  return { type: typeOf(owner), owner, repo: null }
}

/** Whether the caller can see the repository's projects. */
export function showsProjects(repo: Repository): boolean {
  return projectsModeOf(repo) !== 'owner' && mayReadProjects(repo)
}

/** Of projects with issues of a repository, those that the caller may change. */
export async function keepWritable<P extends ProjectRow>(
  ctx: Context,
  projects: readonly P[],
  repo: Repository,
): Promise<P[]> {
  const { access, owner } = repo
  const isOwn = projectsModeOf(repo) !== 'owner' && (may(access, 'write', 'projects') || may(access, 'admin'))
  const areOwners = projects.some((it) => it.repository_id === null) && (await mayWriteOf(ctx, owner))
  return projects.filter((it) => (it.repository_id === null ? areOwners : isOwn))
}

async function mayWriteOf(ctx: Context, owner: Account): Promise<boolean> {
  // A restricted credential names repositories; a board of their owner has issues of others too.
  if (isLimited(ctx.actor?.restriction)) return false
  return typeOf(owner) === 'organization'
    ? hasUnitInOrg(ctx, owner, 'projects', 'write')
    : ctx.actor?.id === owner.id
}

function typeOf({ kind }: Account): ProjectType {
  return kind === 'organization' ? 'organization' : 'individual'
}

/** Compat: repository administrators can read projects also while the unit is disabled. */
function mayReadProjects({ access }: Repository): boolean {
  return may(access, 'read', 'projects') || may(access, 'admin')
}
