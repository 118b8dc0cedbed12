/** SQL on `account` and its counters. Reads take any handle; writes take a transaction. */
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tables, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { Account, AccountCounter, AccountPatch, AccountRow, NewAccountRow } from '../tables.ts'

/** A query on `account` before a selection: for rows, or for their count. */
// biome-ignore lint/complexity/noBannedTypes: nothing is selected yet
export type AccountsQuery = SelectQueryBuilder<Tables, 'account', {}>

/** The one way to read accounts: all columns with counters. */
export function selectAccounts(db: Db) {
  return wholeAccounts(db.selectFrom('account'))
}

export function wholeAccounts(accounts: AccountsQuery) {
  return accounts
    .innerJoin('account_count', 'account_count.account_id', 'account.id')
    .selectAll('account')
    .select([
      'account_count.followers',
      'account_count.following',
      'account_count.stars',
      'account_count.repositories',
      'account_count.members',
      'account_count.teams',
    ])
}

/** An account as JSON inside another row, before `readAccount` converts it. */
export type AccountJson = {
  readonly [K in keyof Account]: Account[K] extends Date | null
    ? Exclude<Account[K], Date> | string
    : Account[K]
}

/** The account with this id as one JSON value, which saves a second query for an owner. */
export function accountJson(id: Expression<number>) {
  return sql<AccountJson>`(select to_jsonb(account) || (to_jsonb(account_count) - 'account_id')
    from account join account_count on account_count.account_id = account.id where account.id = ${id})`
}

export function readAccount(json: AccountJson): Account {
  const { last_login_at, created_at, updated_at } = json
  return {
    ...json,
    last_login_at: last_login_at === null ? null : new Date(last_login_at),
    created_at: new Date(created_at),
    updated_at: new Date(updated_at),
  }
}

export function findAccount(db: Db, login: string): Promise<Account | undefined> {
  return BY_LOGIN_KEY.first(db, { key: keyOf(login) })
}

export function findAccountById(db: Db, id: number): Promise<Account | undefined> {
  return BY_ID.first(db, { id })
}

const BY_LOGIN_KEY = new Statement((db: Db, { key }: { key: string }) =>
  selectAccounts(db).where('login_key', '=', key),
)
const BY_ID = new Statement((db: Db, { id }: { id: number }) =>
  selectAccounts(db).where('account.id', '=', id),
)
const BY_IDS = new Statement((db: Db, { ids }: { ids: readonly number[] }) =>
  selectAccounts(db).where('account.id', 'in', ids),
)

/** Until the transaction ends, the account is not suspended, and no suspension ends. */
export function shareAccount(tx: Tx, id: number): Promise<{ id: number; is_suspended: boolean } | undefined> {
  const account = tx.selectFrom('account').select(['id', 'is_suspended']).where('id', '=', id)
  return account.forShare().executeTakeFirst()
}

/** Many accounts, for lists. Deleted accounts are not in the map. */
export async function findAccountsById(db: Db, ids: readonly number[]): Promise<Map<number, Account>> {
  if (ids.length === 0) return new Map()
  const rows = await BY_IDS.rows(db, { ids: [...new Set(ids)] })
  return new Map(rows.map((row) => [row.id, row]))
}

/** By lower-case login. */
export async function findAccountsByLogin(db: Db, logins: readonly string[]): Promise<Map<string, Account>> {
  if (logins.length === 0) return new Map()
  const rows = await selectAccounts(db)
    .where('login_key', 'in', [...new Set(logins.map(keyOf))])
    .execute()
  return new Map(rows.map((row) => [row.login_key, row]))
}

/** A user by a confirmed email address. */
export function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  return selectAccounts(db)
    .innerJoin('account_email', 'account_email.account_id', 'account.id')
    .where('account_email.email_key', '=', keyOf(email))
    .where('account_email.is_verified', '=', true)
    .executeTakeFirst()
}

/** The current name that a former name redirects to. */
export async function findRedirect(db: Db, login: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('account_redirect')
    .innerJoin('account', 'account.id', 'account_redirect.account_id')
    .select('account.login')
    .where('account_redirect.login_key', '=', keyOf(login))
    .executeTakeFirst()
  return found?.login
}

/** Inserts the account and its counters. Undefined when the name is taken. */
export async function insertAccount(tx: Tx, row: NewAccountRow): Promise<Account | undefined> {
  const account = await tx
    .insertInto('account')
    .values(row)
    .onConflict((conflict) => conflict.column('login_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (account === undefined) return undefined
  // The name is in use again, so it no longer redirects to its former account.
  await tx.deleteFrom('account_redirect').where('login_key', '=', row.login_key).execute()
  const { account_id: _, ...counts } = await tx
    .insertInto('account_count')
    .values({ account_id: account.id })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...account, ...counts }
}

/** Returns the updated row without counters; undefined when the account is gone. */
export function updateAccount(tx: Tx, id: number, patch: AccountPatch): Promise<AccountRow | undefined> {
  return tx.updateTable('account').set(patch).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Renames an account and redirects the old name to it. */
export async function renameAccount(tx: Tx, account: Account, login: string, now: Date): Promise<void> {
  const login_key = keyOf(login)
  await tx.deleteFrom('account_redirect').where('login_key', '=', login_key).execute()
  await tx
    .updateTable('account')
    .set({ login, login_key, updated_at: now })
    .where('id', '=', account.id)
    .execute()
  if (login_key === account.login_key) return
  await tx
    .insertInto('account_redirect')
    .values({ login_key: account.login_key, account_id: account.id })
    .onConflict((conflict) => conflict.column('login_key').doUpdateSet({ account_id: account.id }))
    .execute()
}

export async function deleteAccount(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('account').where('id', '=', id).execute()
}

/** Changes a counter in the transaction of the change that it counts. */
export async function count(tx: Tx, id: number, counter: AccountCounter, by: 1 | -1): Promise<void> {
  await tx
    .updateTable('account_count')
    .set((eb) => ({ [counter]: eb(counter, '+', by) }))
    .where('account_id', '=', id)
    .execute()
}

/** For many accounts; an id that occurs twice is counted twice. */
export async function countMany(
  tx: Tx,
  ids: readonly number[],
  counter: AccountCounter,
  by: 1 | -1,
): Promise<void> {
  if (ids.length === 0) return
  const column = sql.ref(counter)
  await sql`update account_count set ${column} = ${column} + ${by} * changed.times
    from (select id, count(*) as times from unnest(${[...ids]}::bigint[]) as named (id) group by id) as changed
    where account_count.account_id = changed.id`.execute(tx)
}

/** Names and email addresses are compared without case. */
export function keyOf(text: string): string {
  return text.toLowerCase()
}
