/** Collaborators of a repository. Each operation is one transaction. */

import { type Access, atLeast, type Collaboration, may, UNITS } from '#domains/people/access'
import {
  type Account,
  actorOf,
  findAccount,
  isBlockedEitherWay,
  isVisible,
  lockAgainstBlocks,
} from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { Administered, Visible } from '../access/open-repository.ts'
import { deleteTie, deleteTiesOf } from '../record/ties-store.ts'
import { loadInOrder } from '../search/search.ts'
import {
  deleteCollaboration,
  deleteCollaborationsOf,
  isCollaborator,
  listReviewers,
  putCollaboration,
} from './collaborators-store.ts'

/** Compat: an unknown login is 422 here, not 404. */
export async function getPerson(ctx: Context, repo: Visible, login: string): Promise<Account> {
  const account = await findPerson(ctx, repo, login)
  if (account === undefined) throw invalid('user does not exist', { login })
  return account
}

/** A user who is visible to the caller, or who works on the repository. */
export async function findPerson(ctx: Context, repo: Visible, login: string): Promise<Account | undefined> {
  const account = await findAccount(ctx.db, login)
  if (account === undefined || (await isVisible(ctx, account))) return account
  return (await isCollaborator(ctx.db, repo.id, account.id)) ? account : undefined
}

export async function assertCollaborates(ctx: Context, repo: Visible, person: Account): Promise<void> {
  if (!(await isCollaborator(ctx.db, repo.id, person.id))) throw notFound('collaborator', person.login)
}

/** The collaboration levels of the given accounts. */
export async function listLevels(
  ctx: Context,
  repo: Administered,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Collaboration>> {
  if (userIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('collaboration')
    .select(['user_id', 'level'])
    .where('repository_id', '=', repo.id)
    .where('user_id', 'in', userIds)
    .execute()
  return new Map(rows.map(({ user_id, level }) => [user_id, level]))
}

export async function setCollaborator(
  ctx: Context,
  repo: Administered,
  person: Account,
  level: Collaboration,
): Promise<void> {
  if (!person.is_active) throw invalid('account is not active', { login: person.login })
  // Compat: succeeds without effect, because an owner already has full access, and an organization cannot collaborate.
  if (person.id === repo.owner_id || person.kind === 'organization') return
  await transact(ctx, async (ctx) => {
    await lockAgainstBlocks(ctx.db, person.id)
    if (await isBlockedEitherWay(ctx.db, repo.owner_id, person.id)) throw forbidden('user is blocked')
    const created_at = ctx.now()
    await putCollaboration(ctx.db, { repository_id: repo.id, user_id: person.id, level, created_at })
  })
}

/** A user who can no longer see the repository stops watching it. Compat: removing a non-collaborator succeeds. */
export async function removeCollaborator(ctx: Context, repo: Administered, person: Account): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await deleteCollaboration(ctx.db, repo.id, person.id))) return
    const access = await findAccessOf(ctx, repo.id, person)
    if (access === undefined || !may(access, 'see'))
      await deleteTie(ctx.db, 'watch', { user_id: person.id, repository_id: repo.id })
  })
}

declare const proven: unique symbol
/** A user whose access the caller may know: the caller's own, or any user's if the caller administers the repository. */
export interface KnownAccess {
  readonly person: Account
  readonly access: Access
  readonly [proven]: true
}

export async function openAccessOf(
  ctx: Context,
  repo: Visible,
  actor: SignedIn,
  login: string,
): Promise<KnownAccess> {
  const person = await findPerson(ctx, repo, login)
  if (person?.id !== actor.id && !may(repo.access, 'admin'))
    throw forbidden('must be a repository admin to get the permission of another user')
  const access = person === undefined ? undefined : await findAccessOf(ctx, repo.id, person)
  if (person === undefined || access === undefined) throw notFound('user', login)
  return { person, access } as KnownAccess
}

/** A user's access to a repository; undefined when the repository is gone. */
export async function findAccessOf(
  ctx: Context,
  repositoryId: number,
  person: Account,
): Promise<Access | undefined> {
  const actor = actorOf(person, { publicOnly: false, via: 'process', tokenId: null })
  const [repo] = await loadInOrder({ ...ctx, actor }, [repositoryId])
  return repo?.access
}

/** Whether a user with this access can be assigned to issues and pull requests. */
export function mayBeAssigned(access: Access): boolean {
  return may(access, 'read', 'pulls') || UNITS.some((unit) => atLeast(access.units[unit], 'write'))
}

/** Compat: only reviewers and site administrators may list reviewers, and not of an archived repository. */
export async function getReviewers(ctx: Context, repo: Visible, actor: SignedIn): Promise<Account[]> {
  const reviewers = await listReviewers(ctx.db, repo)
  const mayAsk = actor.isAdmin || reviewers.some(({ id }) => id === actor.id)
  if (!mayAsk || repo.access.archived) throw forbidden('user has no permission to get reviewers')
  return reviewers
}

/** Deletes the stars, watches and collaborations of a user who is being deleted, and updates the counters. */
export async function leaveRepositories(ctx: TxContext, userId: number): Promise<void> {
  await deleteTiesOf(ctx.db, 'star', userId)
  await deleteTiesOf(ctx.db, 'watch', userId)
  await deleteCollaborationsOf(ctx.db, userId)
}
