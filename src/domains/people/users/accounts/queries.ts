/** Lists of users: filters, orders and totals. */
import { type Expression, expressionBuilder, type OrderByDirection, type SqlBool, sql } from 'kysely'
import type { Actor } from '#platform/context'
import { CUSTOM_PLAN, type Db, type Paged, type Tables, takePage } from '#platform/db'
import type { Page, Visibility } from '#platform/rest'
import type { Account } from '../tables.ts'
import { type AccountsQuery, wholeAccounts } from './accounts.ts'
import { matches } from './keywords.ts'
import { visibleTo } from './visible.ts'

type AccountRows = ReturnType<typeof wholeAccounts>
/** A list before paging: ordered rows, and the query for their count. */
export interface Listing {
  readonly rows: AccountRows
  readonly counted: AccountsQuery
}

export function takeAccounts({ rows, counted }: Listing, page: Page): Promise<Paged<Account>> {
  return takePage(rows, page, counted)
}

export interface UserSearch {
  readonly keyword: string
  readonly id?: number | undefined
}

/** Users by a part of their name, or of an email address that the caller may see. */
export function searchUsers(db: Db, actor: Actor | null, search: UserSearch): Listing {
  let people = db.selectFrom('account').where('kind', '=', 'user').where(visibleTo(actor))
  if (search.id !== undefined) people = people.where('account.id', '=', search.id)
  if (search.keyword !== '') people = people.where(matches(search.keyword, actor))
  return withCustomPlan(listing(people, byName('asc')))
}

export const SORTS = ['name', 'created', 'updated', 'id'] as const
export interface UserFilter {
  readonly keyword: string
  readonly source_id?: number | undefined
  readonly login_name?: string | undefined
  readonly visibility?: Visibility | undefined
  readonly is_active?: boolean | undefined
  readonly is_admin?: boolean | undefined
  readonly is_restricted?: boolean | undefined
  readonly prohibits_login?: boolean | undefined
  readonly has_second_factor?: boolean | undefined
  readonly sort: (typeof SORTS)[number]
  readonly order: OrderByDirection
}

/** All users, with the filters of administrators. */
export function filterUsers(db: Db, admin: Actor, filter: UserFilter): Listing {
  const eb = expressionBuilder<Tables, 'account'>()
  const conditions: Expression<SqlBool>[] = [eb('account.kind', '=', 'user')]
  for (const column of [
    'source_id',
    'login_name',
    'visibility',
    'is_active',
    'is_admin',
    'is_restricted',
    'prohibits_login',
  ] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) conditions.push(eb(`account.${column}`, '=', wanted))
  }
  if (filter.has_second_factor !== undefined) {
    const enrolled = eb.exists(
      eb
        .selectFrom('account_totp')
        .select('account_totp.account_id')
        .whereRef('account_totp.account_id', '=', 'account.id'),
    )
    conditions.push(filter.has_second_factor ? enrolled : eb.not(enrolled))
  }
  if (filter.keyword !== '') conditions.push(matches(filter.keyword, admin))
  return withCustomPlan(listing(db.selectFrom('account').where(eb.and(conditions)), orderOf(filter)))
}

export function followersOf(db: Db, actor: Actor | null, account: number): Listing {
  const ids = db.selectFrom('follow').select('follower_id').where('followed_id', '=', account)
  return listing(db.selectFrom('account').where('id', 'in', ids).where(visibleTo(actor)), byId)
}

export function followedBy(db: Db, actor: Actor | null, account: number): Listing {
  const ids = db.selectFrom('follow').select('followed_id').where('follower_id', '=', account)
  return listing(db.selectFrom('account').where('id', 'in', ids).where(visibleTo(actor)), byId)
}

/** Includes accounts that are no longer visible to the blocker, so that they can be unblocked. */
export function blockedBy(db: Db, account: number): Listing {
  const ids = db.selectFrom('account_block').select('blocked_id').where('blocker_id', '=', account)
  return listing(db.selectFrom('account').where('id', 'in', ids), byId)
}

type Order = (rows: AccountRows) => AccountRows

function listing(accounts: AccountsQuery, inOrder: Order): Listing {
  return { rows: inOrder(wholeAccounts(accounts)), counted: accounts }
}

/** Custom plan: the best index depends on the number of matching rows. */
function withCustomPlan({ rows, counted }: Listing): Listing {
  return { rows: rows.modifyEnd(CUSTOM_PLAN), counted: counted.modifyEnd(CUSTOM_PLAN) }
}

const byId: Order = (rows) => rows.orderBy('account.id')

/** Compat: upper case sorts before lower case, whatever the database's collation. */
function byName(direction: OrderByDirection): Order {
  return (rows) => rows.orderBy(sql`account.login collate "C"`, direction)
}

function orderOf({ sort, order }: UserFilter): Order {
  switch (sort) {
    case 'name':
      return byName(order)
    case 'id':
      return (rows) => rows.orderBy('account.id', order)
    case 'created':
      return (rows) => rows.orderBy('account.created_at', order).orderBy('account.id', order)
    case 'updated':
      return (rows) => rows.orderBy('account.updated_at', order).orderBy('account.id', order)
  }
}
