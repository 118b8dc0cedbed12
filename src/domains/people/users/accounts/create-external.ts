/** Creates a user for an identity of an authentication source: without a password. */
import type { TxContext } from '#platform/context'
import { insertEmail } from '../emails/emails.ts'
import type { Account } from '../tables.ts'
import { noreplyEmail } from '../wire.ts'
import { insertAccount, keyOf, updateAccount } from './accounts.ts'
import { assertLogin } from './names.ts'

export interface ExternalUser {
  readonly username: string
  readonly full_name: string
  /** Null unless the source has verified it. */
  readonly email: string | null
  readonly source_id: number
  /** Their name at the source. */
  readonly login_name: string
  readonly only_source_id: number | null
}

const FULL_NAME_MAX = 100

/** `taken` when the name or the address belongs to another account: the caller rolls back. */
export async function createExternalUser(
  ctx: TxContext,
  { email, ...input }: ExternalUser,
): Promise<Account | 'taken'> {
  assertLogin(input.username)
  const now = ctx.now()
  const account = await insertAccount(ctx.db, {
    kind: 'user',
    login: input.username,
    login_key: keyOf(input.username),
    full_name: input.full_name.slice(0, FULL_NAME_MAX),
    login_name: input.login_name,
    source_id: input.source_id,
    only_source_id: input.only_source_id,
    visibility: 'public',
    email: email ?? '',
    hides_email: email === null,
    last_login_at: null,
    created_at: now,
    updated_at: now,
  })
  if (account === undefined) return 'taken'
  if (email === null) {
    const noreply = noreplyEmail(account, ctx.site)
    await updateAccount(ctx.db, account.id, { email: noreply })
    return { ...account, email: noreply }
  }
  const row = { account_id: account.id, email, email_key: keyOf(email), is_primary: true }
  return (await insertEmail(ctx.db, row)) === undefined ? 'taken' : account
}
