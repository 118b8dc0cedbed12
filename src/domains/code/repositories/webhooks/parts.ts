/** Common parts of webhook payloads: repository and sender, as the reference presents them. */
import type { Access } from '#domains/people/access'
import { findAccountById, presentUser, type User } from '#domains/people/users'
import type { Context } from '#platform/context'
import { findAccessOf } from '../collaborators/collaborators.ts'
import type { Repository } from '../record/load.ts'
import { presentRepository, type Repository as RepositoryRecord } from '../wire.ts'

/** For a repository from `findAsOwner`: presented with its owner's rights. */
export function presentOwned(repo: Repository, ctx: Context): RepositoryRecord {
  return presentRepository(repo, ctx.site)
}

/** Compat: some payloads present the repository as to a user without rights. */
export function presentBare(repo: Repository, ctx: Pick<Context, 'site'>): RepositoryRecord {
  return presentRepository({ ...repo, access: without(repo.access) }, ctx.site)
}

/** With the rights of an account; a deleted account has none. */
export async function withRightsOf(ctx: Context, repo: Repository, accountId: number): Promise<Repository> {
  const account = await findAccountById(ctx.db, accountId)
  const access = account && (await findAccessOf(ctx, repo.id, account))
  return { ...repo, access: access ?? without(repo.access) }
}

function without(access: Access): Access {
  const units = Object.fromEntries(Object.keys(access.units).map((unit) => [unit, 'none']))
  return { ...access, level: 'none', units } as Access
}

/** Compat: presented as to an anonymous caller; null when the account is gone. */
export async function presentSender(ctx: Context, id: number): Promise<User | null> {
  const account = await findAccountById(ctx.db, id)
  return account === undefined ? null : presentUser(account, null, ctx.site)
}
