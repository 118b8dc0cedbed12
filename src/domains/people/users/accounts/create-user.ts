/** Creates a user. */
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid } from '#platform/problem'
import type { Visibility } from '#platform/rest'
import { emailTaken, insertEmail } from '../emails/emails.ts'
import { assertPassword, hashPassword, storePassword } from '../sign-in/passwords.ts'
import type { Account } from '../tables.ts'
import { insertAccount, keyOf } from './accounts.ts'
import { assertEmail, assertLogin } from './names.ts'

export interface NewUser {
  readonly username: string
  readonly email: string
  readonly password?: string
  readonly full_name?: string
  readonly login_name?: string
  readonly source_id?: number
  readonly must_change_password?: boolean
  readonly restricted?: boolean
  readonly visibility?: Visibility | ''
  readonly created_at?: string
  readonly is_admin?: boolean
  /** An inactive user cannot sign in until they confirm their email address. */
  readonly isActive?: boolean
  /**
   * Do not report a taken email address: create the account without it, so that it can never be confirmed. A stranger
   * who registers thus does not learn which addresses have accounts.
   */
  readonly hidesTakenEmail?: boolean
  /** For the command line, whose operator may use reserved names. */
  readonly isReservedAllowed?: boolean
}

/** The only authentication source: local accounts with passwords. */
const LOCAL_SOURCE = 0

/** `also` runs in the same transaction: if it fails, no user is created. */
export async function createUser(
  ctx: Context,
  input: NewUser,
  also?: (ctx: TxContext, account: Account) => Promise<void>,
): Promise<Account> {
  assertLogin(input.username, { isReservedAllowed: input.isReservedAllowed === true })
  assertEmail(input.email)
  assertSource(input.source_id)
  assertPassword(ctx, input.password ?? '')
  const hashed = await hashPassword(input.password ?? '')
  return transact(ctx, async (ctx) => {
    const account = await insertAccount(ctx.db, rowOf(input, ctx.now()))
    if (account === undefined) throw invalid('name already exists', { login: input.username })
    const address = { account_id: account.id, email: input.email, email_key: keyOf(input.email) }
    const emailId = await insertEmail(ctx.db, { ...address, is_primary: true })
    if (emailId === undefined && !input.hidesTakenEmail) throw emailTaken(input.email)
    await storePassword(ctx.db, account.id, hashed, ctx.now())
    await also?.(ctx, account)
    return account
  })
}

export function assertSource(id: number | undefined): void {
  if (id !== undefined && id !== LOCAL_SOURCE) throw invalid('source does not exist', { id })
}

function rowOf(input: NewUser, now: Date) {
  return {
    kind: 'user' as const,
    login: input.username,
    login_key: keyOf(input.username),
    email: input.email,
    full_name: input.full_name ?? '',
    login_name: input.login_name ?? '',
    source_id: LOCAL_SOURCE,
    visibility: input.visibility || 'public',
    is_admin: input.is_admin ?? false,
    is_active: input.isActive ?? true,
    is_restricted: input.restricted ?? false,
    // A password chosen by another user should be replaced.
    must_change_password: input.must_change_password ?? true,
    last_login_at: null,
    created_at: input.created_at === undefined ? now : new Date(input.created_at),
    updated_at: now,
  }
}
