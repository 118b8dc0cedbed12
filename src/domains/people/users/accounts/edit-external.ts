/** Changes what an authentication source says of a user whose account it has created. */
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import { replacePrimary } from '../emails/emails.ts'
import { keyOf, updateAccount } from './accounts.ts'
import { isEmail } from './names.ts'

const FULL_NAME_MAX = 100

/** An address that is not valid, or belongs to another account, leaves the former one. */
export async function editExternalUser(
  ctx: TxContext,
  accountId: number,
  edit: { readonly full_name?: string; readonly email?: string },
): Promise<void> {
  const { full_name, email } = edit
  if (full_name !== undefined)
    await updateAccount(ctx.db, accountId, {
      full_name: full_name.slice(0, FULL_NAME_MAX),
      updated_at: ctx.now(),
    })
  if (email === undefined || !isEmail(email)) return
  const other = await ctx.db
    .selectFrom('account_email')
    .select('id')
    .where('email_key', '=', keyOf(email))
    .where('account_id', '<>', accountId)
    .where('is_verified', '=', true)
    .executeTakeFirst()
  if (other !== undefined || !(await replacePrimary(ctx.db, accountId, email))) return
  await updateAccount(ctx.db, accountId, { email, updated_at: ctx.now() })
  await emit(ctx, 'account.credentials_changed', { account_id: accountId })
}
