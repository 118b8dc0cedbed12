/** Opens a repository: the only way to obtain one, and the proof of the caller's rights. */
import { type Access, may, type Unit } from '#domains/people/access'
import { type Account, FACTOR_REQUIRED, keyOf, lookUpAccount } from '#domains/people/users'
import { type Context, once } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { findByKeys, findRepository, type Repository } from '../record/load.ts'
import { findRedirect } from '../record/store.ts'

declare const granted: unique symbol
/** Proof that the caller may see it. */
export interface Visible extends Repository {
  readonly [granted]: string
}
/** Proof that the caller may read a unit of it. */
export interface CanRead<U extends Unit> extends Visible {
  readonly [granted]: U
}
/** Proof that the caller may write a unit of it, and that it is not archived. */
export interface CanWrite<U extends Unit> extends CanRead<U> {
  readonly writable: true
}
/** Proof that the caller may change its settings. */
export interface Administered extends Visible {
  readonly administered: true
}
/** Proof that the caller may transfer or delete it. */
export interface Owned extends Administered {
  readonly owned: true
}

export interface RepositoryPath {
  readonly owner: string
  readonly repo: string
}

/** A repository that the caller may not see is reported as not found. */
export async function openToSee(ctx: Context, path: RepositoryPath): Promise<Visible> {
  const repo = await lookUpRepository(ctx, path)
  const visible = asVisible(repo, `${path.owner}/${path.repo}`)
  ctx.audit?.passed(visible)
  return visible
}

/** The repository at a path, without a check; its `access` has the caller's rights. */
export function lookUpRepository(ctx: Context, path: RepositoryPath): Promise<Repository> {
  return once(ctx, `repository ${path.owner}/${path.repo}`, () => selectRepository(ctx, path))
}

async function selectRepository(ctx: Context, path: RepositoryPath): Promise<Repository> {
  const missing = () => notFound('repository', `${path.owner}/${path.repo}`)
  const repo = await findByKeys(ctx, { owner: keyOf(path.owner), name: keyOf(path.repo) })
  if (repo !== undefined) return repo
  throw await whereItWent(ctx, await lookUpAccount(ctx, path.owner, missing), path)
}

export async function openById(ctx: Context, id: number): Promise<Visible> {
  assertSignedIn(ctx)
  const repo = await findRepository(ctx, id)
  if (repo === undefined) throw notFound('repository', id)
  return asVisible(repo, id)
}

/** The owner of a quarantined repository gets the reason; for all others it does not exist. */
function asVisible(repo: Repository, key: string | number): Visible {
  if (may(repo.access, 'see')) return repo as Visible
  assertSecondFactor(repo)
  if (repo.access.showsReason !== true) throw notFound('repository', key)
  throw new Problem('forbidden', 'repository is quarantined by a site administrator', {
    reason: repo.quarantine_reason ?? '',
  })
}

/** A member who lacks the factor that the organization demands learns why the repository is closed to them. */
function assertSecondFactor({ access, owner }: Repository): void {
  if (access.lacksSecondFactor === true) throw forbidden(`${owner.login}: ${FACTOR_REQUIRED}`)
}

/** Redirects a renamed repository's old path, only for callers who may see the repository. */
async function whereItWent(ctx: Context, owner: Account, path: RepositoryPath): Promise<Problem> {
  const id = await findRedirect(ctx.db, owner.id, keyOf(path.repo))
  const repo = id === undefined ? undefined : await findRepository(ctx, id)
  if (repo === undefined || !may(repo.access, 'see'))
    return notFound('repository', `${path.owner}/${path.repo}`)
  return movedTo(path, repo)
}

export function movedTo(path: RepositoryPath, repo: Repository): Problem {
  const from = `${path.owner}/${path.repo}`
  const to = `${repo.owner.login}/${repo.name}`
  return new Problem('moved', 'repository or owner was renamed', { from, to, isForGood: true })
}

export async function openToRead<U extends Unit>(
  ctx: Context,
  path: RepositoryPath,
  unit: U,
): Promise<CanRead<U>> {
  const repo = await openToSee(ctx, path)
  if (!may(repo.access, 'read', unit)) assertSecondFactor(repo)
  if (!may(repo.access, 'read', unit))
    throw forbidden('user should have specific read permission or be a repo admin or a site admin')
  return repo as Visible as CanRead<U>
}

export async function openToWrite<U extends Unit>(
  ctx: Context,
  path: RepositoryPath,
  unit: U,
): Promise<CanWrite<U>> {
  return asWritable(ctx, await openToSee(ctx, path), unit)
}

/** For a repository that was already loaded for the caller. */
export function asWritable<U extends Unit>(ctx: Context, repo: Repository, unit: U): CanWrite<U> {
  assertSignedIn(ctx)
  if (!may(repo.access, 'write', unit)) assertSecondFactor(repo)
  if (!may(repo.access, 'write', unit)) throw forbidden('user should have a permission to write to a repo')
  assertUnarchived(repo)
  return { ...repo, writable: true } as unknown as CanWrite<U>
}

/** Refuses writes to an archived repository. */
export function assertUnarchived({ access }: { readonly access: Access }): void {
  if (access.archived) throw new Problem('locked', 'repository is archived')
}

export async function openToAdmin(ctx: Context, path: RepositoryPath): Promise<Administered> {
  const repo = await openToSee(ctx, path)
  assertSignedIn(ctx)
  if (!may(repo.access, 'admin')) assertSecondFactor(repo)
  if (!may(repo.access, 'admin'))
    throw forbidden('user should be an owner or a collaborator with admin write of a repository')
  return { ...repo, administered: true } as unknown as Administered
}

export async function openToOwn(ctx: Context, path: RepositoryPath): Promise<Owned> {
  const repo = await openToSee(ctx, path)
  assertSignedIn(ctx)
  if (!may(repo.access, 'own')) throw forbidden('user should be the owner of the repo')
  return { ...repo, administered: true, owned: true } as unknown as Owned
}

function assertSignedIn(ctx: Context): void {
  if (ctx.actor === null) throw new Problem('unauthenticated', 'token is required')
}
