/** What most webhook payloads have in common: the repository and who acted, shown as the reference shows them there. */
import type { Access } from '#domains/people/access'
import { findAccountById, presentUser, type User } from '#domains/people/users'
import type { Context } from '#platform/context'
import { findAccessOf } from '../collaborators/collaborators.ts'
import type { Repository } from '../record/load.ts'
import { presentRepository, type Repository as RepositoryRecord } from '../wire.ts'

/** With the rights of its owner. */
export function presentOwned(repo: Repository, ctx: Context): RepositoryRecord {
  return presentRepository(repo, ctx.site)
}

/** Compat: some payloads show it as to somebody without any rights. */
export function presentBare(repo: Repository, ctx: Pick<Context, 'site'>): RepositoryRecord {
  return presentRepository({ ...repo, access: without(repo.access) }, ctx.site)
}

/** With the rights of somebody; whoever is gone has none. */
export async function withRightsOf(ctx: Context, repo: Repository, accountId: number): Promise<Repository> {
  const account = await findAccountById(ctx.db, accountId)
  const access = account && (await findAccessOf(ctx, repo.id, account))
  return { ...repo, access: access ?? without(repo.access) }
}

function without(access: Access): Access {
  const units = Object.fromEntries(Object.keys(access.units).map((unit) => [unit, 'none']))
  return { ...access, level: 'none', units } as Access
}

/** Compat: shown as to a stranger; null when the account is gone. */
export async function presentSender(ctx: Context, id: number): Promise<User | null> {
  const account = await findAccountById(ctx.db, id)
  return account === undefined ? null : presentUser(account, null, ctx.site)
}
