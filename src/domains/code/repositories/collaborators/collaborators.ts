/** Who works on a repository because they were given it by name. Each verb is one transaction: check, change. */

import { type Access, atLeast, type Collaboration, may, UNITS } from '#domains/people/access'
import { type Account, actorOf, areApart, findAccount, isVisible, shareTies } from '#domains/people/users'
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

/** Compat: a name that nobody has is a mistake in the question here, not something that is missing. */
export async function getPerson(ctx: Context, repo: Visible, login: string): Promise<Account> {
  const account = await findPerson(ctx, repo, login)
  if (account === undefined) throw invalid('user does not exist', { login })
  return account
}

/** Somebody whom the caller may see, or who works on the repository, and so is known to those who do. */
export async function findPerson(ctx: Context, repo: Visible, login: string): Promise<Account | undefined> {
  const account = await findAccount(ctx.db, login)
  if (account === undefined || (await isVisible(ctx, account))) return account
  return (await isCollaborator(ctx.db, repo.id, account.id)) ? account : undefined
}

export async function assertCollaborates(ctx: Context, repo: Visible, person: Account): Promise<void> {
  if (!(await isCollaborator(ctx.db, repo.id, person.id))) throw notFound('collaborator', person.login)
}

/** At which level each of these works on it. */
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
  // Compat: no mistake, but nothing to keep: an owner has everything already, an organization does nothing itself.
  if (person.id === repo.owner_id || person.kind === 'organization') return
  await transact(ctx, async (ctx) => {
    await shareTies(ctx.db, person.id)
    if (await areApart(ctx.db, repo.owner_id, person.id)) throw forbidden('user is blocked')
    const created_at = ctx.now()
    await putCollaboration(ctx.db, { repository_id: repo.id, user_id: person.id, level, created_at })
  })
}

/** Whoever can no longer see the repository watches it no longer. Compat: nobody has to be one to be removed. */
export async function removeCollaborator(ctx: Context, repo: Administered, person: Account): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await deleteCollaboration(ctx.db, repo.id, person.id))) return
    const access = await findAccessOf(ctx, repo.id, person)
    if (access === undefined || !may(access, 'see'))
      await deleteTie(ctx.db, 'watch', { user_id: person.id, repository_id: repo.id })
  })
}

declare const proven: unique symbol
/** Somebody whose access the caller may know: their own, or anybody's on what the caller administers. */
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

/** What somebody may do with a repository; undefined when it is gone. */
export async function findAccessOf(
  ctx: Context,
  repositoryId: number,
  person: Account,
): Promise<Access | undefined> {
  const actor = actorOf(person, { publicOnly: false, via: 'process', tokenId: null })
  const [repo] = await loadInOrder({ ...ctx, actor }, [repositoryId])
  return repo?.access
}

/** Whether issues and pull requests may be given to somebody who has this access. */
export function mayBeAssigned(access: Access): boolean {
  return may(access, 'read', 'pulls') || UNITS.some((unit) => atLeast(access.units[unit], 'write'))
}

/** Compat: to ask who may review is for those who may, and over when the repository is archived. */
export async function getReviewers(ctx: Context, repo: Visible, actor: SignedIn): Promise<Account[]> {
  const reviewers = await listReviewers(ctx.db, repo)
  const mayAsk = actor.isAdmin || reviewers.some(({ id }) => id === actor.id)
  if (!mayAsk || repo.access.archived) throw forbidden('user has no permission to get reviewers')
  return reviewers
}

/** Stars, watches and collaborations of somebody who is deleted, so that nobody counts them any more. */
export async function leaveRepositories(ctx: TxContext, userId: number): Promise<void> {
  await deleteTiesOf(ctx.db, 'star', userId)
  await deleteTiesOf(ctx.db, 'watch', userId)
  await deleteCollaborationsOf(ctx.db, userId)
}
