/** Deletes a user. */
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound } from '#platform/problem'
import type { SiteAdmin } from '#platform/rest'
import { dropPicture } from '../avatars/pictures.ts'
import { uncountFollows } from '../social/ties.ts'
import type { Account } from '../tables.ts'
import { deleteAccount, findAccountById } from './accounts.ts'
import { assertNotLastAdmin } from './edit-user.ts'
import type { ManagedUser } from './open-user.ts'

/** With `purge`, everything that the user owns is deleted, too; otherwise repositories and memberships must be gone. */
export async function deleteUser(
  ctx: Context,
  admin: SiteAdmin,
  user: ManagedUser,
  { purge }: { readonly purge: boolean },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const event = { user_id: user.id, actor_id: admin.id }
    await emit(ctx, 'user.leaving', event)
    const { repositories } = await lockForDeletion(ctx, admin, user)
    if (purge) {
      await emit(ctx, 'user.purging', event)
      await emit(ctx, 'account.purging', { account_id: user.id, actor_id: admin.id })
    } else {
      if (repositories > 0) throw invalid('user still owns repositories', { login: user.login })
      if (await belongsSomewhere(ctx, user.id))
        throw invalid('user still belongs to organizations', { login: user.login })
    }
    await forgetUser(ctx, user)
  })
}

/**
 * Refuses deleting oneself or the last administrator, and locks the account, which waits for transactions that give
 * something to the user. Returns the account as it is then.
 */
async function lockForDeletion(ctx: TxContext, admin: SiteAdmin, user: ManagedUser): Promise<Account> {
  if (admin.id === user.id) throw invalid('you cannot delete yourself')
  if (user.is_admin) await assertNotLastAdmin(ctx, user.id)
  await ctx.db.selectFrom('account').select('id').where('id', '=', user.id).forUpdate().execute()
  const current = await findAccountById(ctx.db, user.id)
  if (current === undefined) throw notFound('user', user.login)
  return current
}

/**
 * The last step of every deletion, after repositories and organizations: deletes credentials, ties and settings with the
 * account, and updates the counters.
 */
export async function forgetUser(ctx: TxContext, user: Pick<Account, 'id' | 'avatar_key'>): Promise<void> {
  await emit(ctx, 'account.forgotten', { account_id: user.id })
  await uncountFollows(ctx.db, user.id)
  await dropPicture(ctx, user.avatar_key)
  await deleteAccount(ctx.db, user.id)
}

/** Deletes a registered user who never signed in, unless the account was edited or owns or belongs to something. */
export async function forgetInactive(ctx: TxContext, id: number): Promise<void> {
  const untouched = await ctx.db
    .selectFrom('account')
    .select('id')
    .where('id', '=', id)
    .where('is_active', '=', false)
    .where('last_login_at', 'is', null)
    .whereRef('updated_at', '=', 'created_at')
    .forUpdate()
    .executeTakeFirst()
  const account = untouched && (await findAccountById(ctx.db, id))
  if (account === undefined || account.repositories > 0 || (await belongsSomewhere(ctx, id))) return
  await emit(ctx, 'user.leaving', { user_id: id, actor_id: id })
  await forgetUser(ctx, account)
}

async function belongsSomewhere(ctx: TxContext, userId: number): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('membership')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}
