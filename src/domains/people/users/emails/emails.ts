/** Email addresses of users: each has one primary address and may have more. */
import { sql } from 'kysely'
import { emit } from '#events'
import { type Context, transact } from '#platform/context'
import { CUSTOM_PLAN, containing, type Db, type Paged, type Tx, takePage } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import { keyOf } from '../accounts/accounts.ts'
import { matchesName } from '../accounts/keywords.ts'
import { assertEmail } from '../accounts/names.ts'
import type { AccountEmailRow } from '../tables.ts'

/** Bounded because the list of one's own addresses is not paged. */
export const EMAILS_MAX = 50

export function findEmails(db: Db, accountId: number): Promise<AccountEmailRow[]> {
  return db
    .selectFrom('account_email')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
}

/** All or none. An address does not count until it is confirmed; the sessions slice handles that on `email.added`. */
export async function addEmails(
  ctx: Context,
  actor: SignedIn,
  emails: readonly string[],
): Promise<AccountEmailRow[]> {
  if (emails.length === 0) throw invalid('email list is empty')
  for (const email of emails) assertEmail(email)
  return transact(ctx, async (ctx) => {
    // Inserts in a fixed order, so that concurrent requests for the same addresses cannot deadlock.
    const rows = emails.map((email) => ({ account_id: actor.id, email, email_key: keyOf(email) }))
    const email_ids: number[] = []
    for (const row of rows.sort((a, b) => (a.email_key < b.email_key ? -1 : 1))) {
      const id = await insertEmail(ctx.db, { ...row, is_verified: false })
      if (id === undefined) throw emailTaken(row.email)
      email_ids.push(id)
    }
    if ((await findEmails(ctx.db, actor.id)).length > EMAILS_MAX)
      throw invalid('too many email addresses', { most: EMAILS_MAX })
    await emit(ctx, 'email.added', { account_id: actor.id, email_ids })
    return findEmails(ctx.db, actor.id)
  })
}

/** From now on the addresses count: in commits, for signing in and in searches. */
export async function verifyEmails(tx: Tx, accountId: number, ids: readonly number[]): Promise<void> {
  await tx
    .updateTable('account_email')
    .set({ is_verified: true })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute()
}

/** All or none. */
export async function removeEmails(ctx: Context, actor: SignedIn, emails: readonly string[]): Promise<void> {
  await transact(ctx, async (ctx) => {
    for (const email of emails) {
      const found = await ctx.db
        .selectFrom('account_email')
        .select(['id', 'is_primary'])
        .where('email_key', '=', keyOf(email))
        .where('account_id', '=', actor.id)
        .executeTakeFirst()
      if (found === undefined) throw notFound('email address', email)
      if (found.is_primary) throw invalid('cannot delete the primary email address', { email })
      await ctx.db.deleteFrom('account_email').where('id', '=', found.id).execute()
    }
  })
}

/** Returns the id of the new row; undefined when the address is taken. */
export async function insertEmail(
  tx: Tx,
  row: { account_id: number; email: string; email_key: string; is_primary?: boolean; is_verified?: boolean },
): Promise<number | undefined> {
  await dropClaims(tx, row)
  const inserted = await tx
    .insertInto('account_email')
    .values(row)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Deletes unconfirmed claims of other accounts, which must not keep the owner of the mailbox from using the address. */
async function dropClaims(tx: Tx, claim: { account_id: number; email_key: string }): Promise<void> {
  await tx
    .deleteFrom('account_email')
    .where('email_key', '=', claim.email_key)
    .where('account_id', '<>', claim.account_id)
    .where('is_verified', '=', false)
    .where('is_primary', '=', false)
    .execute()
}

/** Makes an address the primary one; the former one stays as secondary. False when another account has it. */
export async function replacePrimary(tx: Tx, accountId: number, email: string): Promise<boolean> {
  await tx
    .updateTable('account_email')
    .set({ is_primary: false })
    .where('account_id', '=', accountId)
    .where('is_primary', '=', true)
    .execute()
  const primary = { email, is_primary: true, is_verified: true }
  await dropClaims(tx, { account_id: accountId, email_key: keyOf(email) })
  const written = await tx
    .insertInto('account_email')
    .values({ ...primary, account_id: accountId, email_key: keyOf(email) })
    .onConflict((conflict) =>
      conflict.column('email_key').doUpdateSet(primary).where('account_email.account_id', '=', accountId),
    )
    .executeTakeFirst()
  return written.numInsertedOrUpdatedRows === 1n
}

/** An email address with the login of its owner. */
export type OwnedEmail = AccountEmailRow & { readonly login: string }

/** Addresses of all users; with a keyword, of those whose login, full name or address contains it. */
export function emailsOfAll(db: Db, keyword: string) {
  let emails = db
    .selectFrom('account_email')
    .innerJoin('account', 'account.id', 'account_email.account_id')
    .where('account.kind', '=', 'user')
  if (keyword !== '') emails = emails.where('account_email.id', 'in', matchingEmails(db, keyword))
  // Custom plan: the number of matches depends on the keyword.
  emails = emails.modifyEnd(CUSTOM_PLAN)
  // `email_key` is unique, so the order is total.
  return emails.selectAll('account_email').select('account.login').orderBy('account_email.email_key')
}

export function listEmails(ctx: Context, keyword: string, page: Page): Promise<Paged<OwnedEmail>> {
  return takePage(emailsOfAll(ctx.db, keyword), page)
}

export function emailTaken(email: string) {
  return invalid('email address is already in use', { email })
}

/** A union of two queries instead of `or`, because each has its own index. */
function matchingEmails(db: Db, keyword: string) {
  const byAddress = db
    .selectFrom('account_email')
    .select('account_email.id')
    .where(sql<boolean>`account_email.email_key like ${containing(keyword)}`)
  const byName = db
    .selectFrom('account')
    .innerJoin('account_email', 'account_email.account_id', 'account.id')
    .select('account_email.id')
    .where(matchesName(keyword))
  return byAddress.union(byName)
}
