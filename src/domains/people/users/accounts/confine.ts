/** Accounts that sign in by one source only (`account.only_source_id`): no password, passkey or other source is accepted. */
import { sql } from 'kysely'
import type { Tx } from '#platform/db'
import type { Account } from '../tables.ts'

/** Whether passwords and passkeys of the forge are accepted. */
export function takesOwnCredentials({ only_source_id }: Pick<Account, 'only_source_id'>): boolean {
  return only_source_id === null
}

export async function confineAccounts(
  tx: Tx,
  ids: readonly number[],
  { sourceId, isConfined }: { readonly sourceId: number; readonly isConfined: boolean },
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ only_source_id: isConfined ? sourceId : null })
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('only_source_id', 'is not distinct from', isConfined ? null : sourceId)
    .execute()
}
