/** Edits of a user by an administrator: profile, email address, password, roles, name. */

import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { isUniqueViolation } from '#platform/db'
import { invalid, notFound, Problem } from '#platform/problem'
import type { SiteAdmin } from '#platform/rest'
import { replacePrimary } from '../emails/emails.ts'
import type { EditUserOption } from '../schemas.ts'
import { assertPassword, hashPassword, storePassword } from '../sign-in/passwords.ts'
import { isSuspendedBySource } from '../suspension/by-source.ts'
import { prohibitAfterSuspension } from '../suspension/suspension.ts'
import type { Account, AccountPatch, AccountRow } from '../tables.ts'
import { findAccountById, renameAccount, updateAccount } from './accounts.ts'
import { assertSource } from './create-user.ts'
import { assertLogin, isEmail } from './names.ts'
import type { ManagedUser } from './open-user.ts'

/** All changes or none. */
export async function editUser(
  ctx: Context,
  _admin: SiteAdmin,
  user: ManagedUser,
  edit: EditUserOption,
): Promise<Account> {
  // Compat: clients send the current source again.
  if (edit.source_id !== user.source_id) assertSource(edit.source_id)
  if (edit.email !== undefined && !isEmail(edit.email))
    throw new Problem('malformed', 'email address is invalid', { email: edit.email })
  // Compat: an empty password leaves it unchanged.
  if (edit.password) assertPassword(ctx, edit.password)
  const hashed = edit.password ? await hashPassword(edit.password) : undefined
  return transact(ctx, async (ctx) => {
    if (edit.admin === false) await assertNotLastAdmin(ctx, user.id)
    // First, because it locks the account, which serializes concurrent edits.
    const changed = await updateAccount(ctx.db, user.id, patchOf(edit, ctx.now()))
    if (changed !== undefined) await keepSuspended(ctx, changed, edit)
    if (edit.prohibit_login) await emit(ctx, 'account.prohibited', { account_id: user.id })
    if (edit.email !== undefined && !(await replacePrimary(ctx.db, user.id, edit.email)))
      throw new Problem('malformed', 'email address is already in use', { email: edit.email })
    if (hashed !== undefined) await storePassword(ctx.db, user.id, hashed, ctx.now())
    if (hashed !== undefined || edit.email !== undefined)
      await emit(ctx, 'account.credentials_changed', { account_id: user.id })
    return getAccount(ctx, user.id)
  })
}

async function keepSuspended(ctx: TxContext, changed: AccountRow, edit: EditUserOption): Promise<void> {
  if (changed.is_suspended) {
    if (!changed.prohibits_login || changed.is_admin) throw stillSuspended()
    if (edit.prohibit_login === true) await prohibitAfterSuspension(ctx.db, changed.id)
  } else if (edit.prohibit_login === false && (await isSuspendedBySource(ctx.db, changed.id)))
    throw stillSuspended()
}

function stillSuspended() {
  return invalid('account is suspended: lift the suspension first')
}

/** The old name redirects to the new one. */
export async function renameUser(
  ctx: Context,
  _admin: SiteAdmin,
  user: ManagedUser,
  login: string,
): Promise<void> {
  assertLogin(login)
  await transact(ctx, async (ctx) => {
    await ctx.db.selectFrom('account').select('id').where('id', '=', user.id).forUpdate().execute()
    const current = await getAccount(ctx, user.id)
    try {
      await renameAccount(ctx.db, current, login, ctx.now())
    } catch (error) {
      if (isUniqueViolation(error)) throw invalid('name already exists', { login })
      throw error
    }
  })
}

/**
 * At least one administrator must remain. Locks all administrators, so that two concurrent demotions cannot both
 * succeed.
 */
export async function assertNotLastAdmin(ctx: TxContext, id: number): Promise<void> {
  const admins = await ctx.db
    .selectFrom('account')
    .select('id')
    .where('is_admin', '=', true)
    .where('kind', '=', 'user')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (admins.length === 1 && admins[0]?.id === id)
    throw new Problem('malformed', 'cannot remove the last administrator')
}

async function getAccount(ctx: TxContext, id: number): Promise<Account> {
  const account = await findAccountById(ctx.db, id)
  if (account === undefined) throw notFound('user', id)
  return account
}

function patchOf(edit: EditUserOption, now: Date): AccountPatch {
  const patch: AccountPatch = {
    full_name: edit.full_name,
    email: edit.email,
    website: edit.website,
    location: edit.location,
    description: edit.description,
    visibility: edit.visibility || undefined,
    login_name: edit.login_name,
    source_id: edit.source_id,
    is_active: edit.active,
    is_admin: edit.admin,
    is_restricted: edit.restricted,
    prohibits_login: edit.prohibit_login,
    must_change_password: edit.must_change_password,
    may_create_organization: edit.allow_create_organization,
    may_use_git_hooks: edit.allow_git_hook,
    may_import_local: edit.allow_import_local,
    repositories_max: edit.max_repo_creation,
    updated_at: now,
  }
  return patch
}
