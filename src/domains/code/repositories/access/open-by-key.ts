/** Opens a repository with a deploy key. A deploy key has no user and grants one repository. */
import { type Access, decideKeyAccess, may, type Unit } from '#domains/people/access'
import { findAccount } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { getRepository, type Repository } from '../record/load.ts'
import { findRedirect } from '../record/store.ts'
import {
  assertUnarchived,
  type CanRead,
  type CanWrite,
  lookUpRepository,
  movedTo,
  type RepositoryPath,
} from './open-repository.ts'

/** The facts about a deploy key. `FindKey` of the caller loads it. */
export interface KeyGrant {
  readonly repository_id: number
  readonly is_read_only: boolean
}
type FindKey<K extends KeyGrant> = (repositoryId: number) => Promise<K | undefined>

interface OpenedByKey<R, K> {
  readonly repo: R
  readonly key: K
}

/** For the key every other repository is not found, even a public one. */
export async function openToReadByKey<K extends KeyGrant, U extends Unit>(
  ctx: Context,
  path: RepositoryPath,
  unit: U,
  findKey: FindKey<K>,
): Promise<OpenedByKey<CanRead<U>, K>> {
  const found = await lookUpRepository({ ...ctx, actor: null }, path).catch(tellName(ctx, path, findKey))
  const key = await findKey(found.id)
  if (key === undefined || key.repository_id !== found.id)
    throw notFound('repository', `${path.owner}/${path.repo}`)
  const repo: Repository = { ...found, access: accessByKey(found, key) }
  if (!may(repo.access, 'see')) throw notFound('repository', `${path.owner}/${path.repo}`)
  if (!may(repo.access, 'read', unit)) throw forbidden(`repository has no ${unit}`)
  return { repo: repo as CanRead<U>, key }
}

export async function openToWriteByKey<K extends KeyGrant, U extends Unit>(
  ctx: Context,
  path: RepositoryPath,
  unit: U,
  findKey: FindKey<K>,
): Promise<OpenedByKey<CanWrite<U>, K>> {
  const { repo, key } = await openToReadByKey(ctx, path, unit, findKey)
  if (!may(repo.access, 'write', unit)) throw forbidden('deploy key is read-only: permission to push denied')
  assertUnarchived(repo)
  return { repo: { ...repo, writable: true } as CanWrite<U>, key }
}

/** The anonymous lookup hides renames; the holder of a key of the renamed repository gets the redirect. */
function tellName(
  ctx: Context,
  path: RepositoryPath,
  findKey: FindKey<KeyGrant>,
): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof Problem && error.kind === 'not_found')) throw error
    const owner = await findAccount(ctx.db, path.owner)
    const id = owner && (await findRedirect(ctx.db, owner.id, path.repo.toLowerCase()))
    if (id === undefined || (await findKey(id)) === undefined) throw error
    throw movedTo(path, await getRepository({ ...ctx, actor: null }, id))
  }
}

/** The access of the key, independent of `ctx.actor`. */
export function accessByKey(repo: Repository, key: KeyGrant): Access {
  const facts = {
    isPrivate: repo.is_private,
    isArchived: repo.archived_at !== null,
    isQuarantined: repo.is_quarantined,
    enabledUnits: new Set(repo.units as Unit[]),
  }
  return decideKeyAccess(facts, key.is_read_only ? 'read' : 'write')
}
