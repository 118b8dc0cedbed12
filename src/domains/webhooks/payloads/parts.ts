/** What most payloads have in common: the repository and the people, shown as the reference shows them here. */
import type { Access } from '#domains/access'
import { openById, presentRepository, type RepositoryRecord, type Visible } from '#domains/repositories'
import { actorOf, findAccountById, presentUser, type User } from '#domains/users'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'

export interface About {
  readonly repository_id: number
  readonly actor_id: number
}

/** As its owner sees it; undefined when it has been deleted since. */
export async function findRepository(ctx: Context, id: number): Promise<Visible | undefined> {
  const row = await ctx.db.selectFrom('repository').select('owner_id').where('id', '=', id).executeTakeFirst()
  const owner = row === undefined ? undefined : await findAccountById(ctx.db, row.owner_id)
  if (owner === undefined) return undefined
  const actor = actorOf(owner, { publicOnly: false, via: 'process', tokenId: null })
  try {
    // An organization cannot act, but all that is in it is its own.
    return await openById({ ...ctx, actor: { ...actor, isAdmin: true } }, id)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'not_found') return undefined
    throw error
  }
}

/** With the rights of its owner. */
export function presentOwned(repo: Visible, ctx: Context): RepositoryRecord {
  return presentRepository(repo, ctx.site)
}

/** Compat: some payloads show it as to somebody without any rights. */
export function presentBare(repo: Visible, ctx: Context): RepositoryRecord {
  const units = Object.fromEntries(Object.keys(repo.access.units).map((unit) => [unit, 'none']))
  const access = { ...repo.access, level: 'none', units } as Access
  return presentRepository({ ...repo, access }, ctx.site)
}

/** Compat: shown as to a stranger; null when the account is gone. */
export async function presentPerson(ctx: Context, id: number): Promise<User | null> {
  const account = await findAccountById(ctx.db, id)
  return account === undefined ? null : presentUser(account, null, ctx.site)
}
