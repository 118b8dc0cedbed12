/** Edits of a user by themselves. */
import { type Context, transact } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import { updateAccount } from '../accounts/accounts.ts'
import type { UserSettingsOptions } from '../schemas.ts'
import type { Account, AccountPatch, EmailNotifications } from '../tables.ts'

export async function setEmailNotifications(
  ctx: Context,
  actor: SignedIn,
  email_notifications: EmailNotifications,
): Promise<void> {
  await transact(ctx, (ctx) =>
    updateAccount(ctx.db, actor.id, { email_notifications, updated_at: ctx.now() }),
  )
}

export async function editSettings(
  ctx: Context,
  actor: SignedIn,
  edit: UserSettingsOptions,
): Promise<Account> {
  const patch: AccountPatch = {
    full_name: edit.full_name,
    website: edit.website,
    description: edit.description,
    location: edit.location,
    language: edit.language,
    theme: edit.theme,
    diff_view_style: edit.diff_view_style,
    hides_email: edit.hide_email,
    hides_activity: edit.hide_activity,
    updated_at: ctx.now(),
  }
  return transact(ctx, async (ctx) => {
    const row = await updateAccount(ctx.db, actor.id, patch)
    return { ...actor.account, ...row }
  })
}
