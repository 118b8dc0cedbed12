/**
 * Suspension for abuse: a user cannot sign in, and only site administrators see the account, its repositories and
 * packages, and its issues, comments and reviews elsewhere. Of an organization its owners read the reason. Triggers mark
 * these rows, and unmark them when the suspension is lifted.
 */
import { type Context, transact } from '#platform/context'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import { invalid } from '#platform/problem'
import { asSiteAdmin, type Page, type SiteAdmin } from '#platform/rest'
import { updateAccount } from '../accounts/accounts.ts'
import { lookUpAccount } from '../accounts/open-user.ts'
import type { Account, AccountKind, SuspensionRow } from '../tables.ts'

export interface ListedSuspension extends SuspensionRow {
  readonly login: string
  readonly kind: AccountKind
}

declare const judged: unique symbol
/** An account of any kind that the caller may suspend. Only `openToSuspend` creates one. */
type Judged = Account & { readonly [judged]: true }

export async function openToSuspend(
  visit: { readonly ctx: Context },
  login: string,
): Promise<{ admin: SiteAdmin; account: Judged }> {
  const admin = asSiteAdmin(visit)
  return { admin, account: (await lookUpAccount(visit.ctx, login)) as Judged }
}

export async function suspend(ctx: Context, admin: SiteAdmin, { id }: Judged, reason: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const { prohibits_login: prohibited_login } = await ctx.db
      .selectFrom('account')
      .select('prohibits_login')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const set = { is_suspended: true, prohibits_login: true, updated_at: ctx.now() }
    const account = await updateAccount(ctx.db, id, set)
    if (account?.is_admin) throw invalid('a site administrator cannot be suspended')
    const row = { account_id: id, actor_id: admin.id, reason, prohibited_login, created_at: ctx.now() }
    await ctx.db
      .insertInto('account_suspension')
      .values({ ...row, appeal: null, appealed_at: null })
      .onConflict((conflict) =>
        conflict.column('account_id').doUpdateSet({ reason, actor_id: admin.id, source_id: null }),
      )
      .execute()
  })
}

/** A user who was prohibited from signing in before stays so. */
export async function liftSuspension(ctx: Context, _admin: SiteAdmin, { id }: Judged): Promise<void> {
  await transact(ctx, async (ctx) => {
    const ended = await ctx.db
      .deleteFrom('account_suspension')
      .where('account_id', '=', id)
      .returning('prohibited_login')
      .executeTakeFirst()
    if (ended === undefined) throw invalid('account is not suspended')
    const set = { is_suspended: false, prohibits_login: ended.prohibited_login, updated_at: ctx.now() }
    await updateAccount(ctx.db, id, set)
  })
}

/** An administrator prohibits the user from signing in while the account is suspended. */
export async function prohibitAfterSuspension(tx: Tx, accountId: number): Promise<void> {
  await tx
    .updateTable('account_suspension')
    .set({ prohibited_login: true })
    .where('account_id', '=', accountId)
    .execute()
}

/** Appeals first, the oldest of them on top. */
export function listSuspensions(db: Db, page: Page): Promise<Paged<ListedSuspension>> {
  const suspensions = db.selectFrom('account_suspension')
  const query = suspensions
    .innerJoin('account', 'account.id', 'account_suspension.account_id')
    .selectAll('account_suspension')
    .select(['account.login', 'account.kind'])
    .orderBy('account_suspension.appealed_at')
    .orderBy('account_suspension.account_id')
  return takePage(query, page, suspensions)
}

export function findSuspension(db: Db, accountId: number): Promise<SuspensionRow | undefined> {
  return db
    .selectFrom('account_suspension')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** A suspended person may appeal once. The caller has verified their password. */
export async function appeal(ctx: Context, accountId: number, text: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const sent = await ctx.db
      .updateTable('account_suspension')
      .set({ appeal: text, appealed_at: ctx.now() })
      .where('account_id', '=', accountId)
      .where('appealed_at', 'is', null)
      .executeTakeFirst()
    if (sent.numUpdatedRows === 0n) throw invalid('an appeal was sent already')
  })
}
