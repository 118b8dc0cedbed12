/** SQL on tables of other slices. Reads only: this slice has no tables. */
import { sql } from 'kysely'
import { selectAccounts } from '#domains/people/users'
import type { Db } from '#platform/db'
import { Statement } from '#platform/db/statement'

/** Accounts by confirmed email addresses. */
export const BY_EMAIL = new Statement((db: Db, { keys }: { keys: readonly string[] }) =>
  selectAccounts(db)
    .innerJoin('account_email', 'account_email.account_id', 'account.id')
    .select('account_email.email_key')
    .where('account_email.email_key', 'in', keys)
    .where('account_email.is_verified', '=', true),
)

export function selectByIdOrName(db: Db, ids: readonly number[], loginKeys: readonly string[]) {
  return selectAccounts(db)
    .where((eb) =>
      eb.or([
        eb('account.id', '=', sql<number>`any(${ids}::bigint[])`),
        eb('account.login_key', '=', sql<string>`any(${loginKeys}::text[])`),
      ]),
    )
    .where('kind', '=', 'user')
}
