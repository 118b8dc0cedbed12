/** Deleting somebody. */
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound } from '#platform/problem'
import type { SiteAdmin } from '#platform/rest'
import { deleteAccount, findAccountById } from './accounts.ts'
import { assertNotLastAdmin } from './edit-user.ts'
import type { ManagedUser } from './open-user.ts'
import type { Account } from './tables.ts'
import { uncountFollows } from './ties.ts'

/** Deletes somebody who owns nothing and belongs nowhere; what they have must be given away or deleted before. */
export async function deleteUser(ctx: Context, admin: SiteAdmin, user: ManagedUser): Promise<void> {
  assertNotOneself(admin, user)
  await transact(ctx, async (ctx) => {
    const current = await lockUser(ctx, user)
    if (current.repositories > 0) throw invalid('user still owns repositories', { login: user.login })
    if (await belongsSomewhere(ctx, user.id))
      throw invalid('user still belongs to organizations', { login: user.login })
    await forgetUser(ctx, current)
  })
}

/**
 * Removes somebody whose repositories and organizations are gone already: credentials, ties and settings go with the
 * account, and nobody counts them any more. For the transaction of whoever has seen to the rest.
 */
export async function forgetUser(ctx: TxContext, user: Pick<Account, 'id' | 'is_admin'>): Promise<void> {
  if (user.is_admin) await assertNotLastAdmin(ctx, user.id)
  await uncountFollows(ctx.db, user.id)
  await deleteAccount(ctx.db, user.id)
}

export function assertNotOneself(admin: SiteAdmin, user: ManagedUser): void {
  if (admin.id === user.id) throw invalid('you cannot delete yourself')
}

/** Waits for whatever is being given to them right now, and then looks at what they have. */
async function lockUser(ctx: TxContext, user: ManagedUser): Promise<Account> {
  await ctx.db.selectFrom('account').select('id').where('id', '=', user.id).forUpdate().execute()
  const current = await findAccountById(ctx.db, user.id)
  if (current === undefined) throw notFound('user', user.login)
  return current
}

async function belongsSomewhere(ctx: TxContext, userId: number): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('membership')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}
