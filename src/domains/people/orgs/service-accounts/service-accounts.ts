/**
 * Service accounts: programs of an organization. They have tokens and keys, no password and no sessions, and get their
 * rights from teams, as members do. Owners of the organization create them, and issue their tokens (`keys`).
 */
import {
  type Account,
  assertLogin,
  forgetUser,
  insertAccount,
  keyOf,
  selectAccounts,
} from '#domains/people/users'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { type Db, type Paged, takePage } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import type { OwnedOrg } from '../organizations/open-org.ts'

/** Of one organization: a bound, more than a program needs. */
const ACCOUNTS_MAX = 50

declare const opened: unique symbol
/** Only `openServiceAccount` creates one. */
export type ServiceAccount = Account & { readonly [opened]: true }

export function listServiceAccounts(db: Db, org: OwnedOrg, page: Page): Promise<Paged<Account>> {
  return takePage(selectServiceAccounts(db, org.id), page)
}

export async function createServiceAccount(
  ctx: Context,
  org: OwnedOrg,
  wish: { readonly username: string; readonly full_name?: string },
): Promise<Account> {
  assertLogin(wish.username)
  return transact(ctx, async (ctx) => {
    // Locked, so that concurrent requests are counted one after the other.
    await ctx.db.selectFrom('account').select('id').where('id', '=', org.id).forUpdate().execute()
    const held = await selectServiceAccounts(ctx.db, org.id).execute()
    if (held.length >= ACCOUNTS_MAX) throw invalid('organization has too many service accounts')
    const now = ctx.now()
    const account = await insertAccount(ctx.db, {
      kind: 'bot',
      login: wish.username,
      login_key: keyOf(wish.username),
      full_name: wish.full_name ?? '',
      organization_id: org.id,
      // It sees what its teams give it, and what is public.
      is_restricted: true,
      may_create_organization: false,
      repositories_max: 0,
      hides_email: true,
      email_notifications: 'disabled',
      last_login_at: null,
      created_at: now,
      updated_at: now,
    })
    if (account === undefined) throw invalid('name already exists', { login: wish.username })
    return account
  })
}

export async function openServiceAccount(db: Db, org: OwnedOrg, login: string): Promise<ServiceAccount> {
  const account = await selectServiceAccounts(db, org.id)
    .where('account.login_key', '=', keyOf(login))
    .executeTakeFirst()
  if (account === undefined) throw notFound('service account', login)
  return account as ServiceAccount
}

export async function deleteServiceAccount(
  ctx: Context,
  actor: SignedIn,
  { id }: ServiceAccount,
): Promise<void> {
  await transact(ctx, (ctx) => forgetServiceAccount(ctx, id, actor.id))
}

/** With their organization. */
export async function forgetServiceAccountsOf(ctx: TxContext, organizationId: number): Promise<void> {
  const accounts = await selectServiceAccounts(ctx.db, organizationId).execute()
  for (const { id } of accounts) await forgetServiceAccount(ctx, id, ctx.actor?.id ?? organizationId)
}

async function forgetServiceAccount(ctx: TxContext, id: number, actorId: number): Promise<void> {
  await ctx.db.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute()
  const account = await selectAccounts(ctx.db).where('account.id', '=', id).executeTakeFirst()
  if (account === undefined) throw notFound('service account', id)
  const event = { user_id: id, actor_id: actorId }
  await emit(ctx, 'user.leaving', event)
  await emit(ctx, 'user.purging', event)
  await emit(ctx, 'account.purging', { account_id: id, actor_id: actorId })
  await forgetUser(ctx, account)
}

function selectServiceAccounts(db: Db, organizationId: number) {
  return selectAccounts(db)
    .where('account.organization_id', '=', organizationId)
    .where('account.kind', '=', 'bot')
    .orderBy('account.id')
}
