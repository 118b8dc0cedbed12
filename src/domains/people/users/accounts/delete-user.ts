/** Deleting somebody. */
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

/** With `purge` everything that is theirs goes, too; otherwise it must be given away or deleted before. */
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
 * The first step of every deletion: nobody deletes themselves or the last administrator, and whatever is being given
 * to the user right now is waited for. The account as it is then.
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
 * The last step of every deletion, when repositories and organizations are gone already: credentials, ties and
 * settings go with the account, and nobody counts them any more.
 */
export async function forgetUser(ctx: TxContext, user: Pick<Account, 'id' | 'avatar_key'>): Promise<void> {
  await emit(ctx, 'account.forgotten', { account_id: user.id })
  await uncountFollows(ctx.db, user.id)
  await dropPicture(ctx, user.avatar_key)
  await deleteAccount(ctx.db, user.id)
}

/** Whoever registered and never came. What somebody has looked after since, or given something to, stays. */
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
