/** What people have granted to applications: look up, list, extend, revoke. */
import type { TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { covers, joinScopes } from '../scopes.ts'
import type { ApplicationRow, GrantRow } from '../tables.ts'

/** More than anybody has. */
const SHOWN_MAX = 200

export interface ShownGrant extends GrantRow {
  readonly name: string
  /** Login of the account that registered the application; null for one of the forge itself. */
  readonly owner: string | null
}

/** The application used last first. */
export function listGrants(db: Db, accountId: number): Promise<ShownGrant[]> {
  return db
    .selectFrom('oauth2_grant')
    .innerJoin('oauth2_application', 'oauth2_application.id', 'oauth2_grant.application_id')
    .leftJoin('account', 'account.id', 'oauth2_application.account_id')
    .selectAll('oauth2_grant')
    .select(['oauth2_application.name', 'account.login as owner'])
    .where('oauth2_grant.account_id', '=', accountId)
    .orderBy('oauth2_grant.last_used_at', 'desc')
    .orderBy('oauth2_grant.id', 'desc')
    .limit(SHOWN_MAX)
    .execute()
}

export function findGrant(db: Db, accountId: number, applicationId: number): Promise<GrantRow | undefined> {
  return db
    .selectFrom('oauth2_grant')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('application_id', '=', applicationId)
    .executeTakeFirst()
}

/** Adds these scopes to the grant of the account, which is created if there is none. */
export async function extendGrant(
  ctx: TxContext,
  accountId: number,
  { id }: ApplicationRow,
  scopes: readonly string[],
): Promise<GrantRow> {
  const now = ctx.now()
  const row = await ctx.db
    .insertInto('oauth2_grant')
    .values({
      account_id: accountId,
      application_id: id,
      scopes: [...scopes],
      created_at: now,
      last_used_at: now,
    })
    // Locks an existing row until the end of the transaction.
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'application_id']).doUpdateSet({ last_used_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  if (covers(row.scopes, scopes)) return row
  const joined = joinScopes(row.scopes, scopes)
  await ctx.db.updateTable('oauth2_grant').set({ scopes: joined }).where('id', '=', row.id).execute()
  return { ...row, scopes: joined }
}

/** Codes, refresh tokens and access tokens of the grant end with it. */
export async function deleteGrant(tx: Tx, accountId: number, id: number): Promise<boolean> {
  const gone = await tx
    .deleteFrom('oauth2_grant')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** Called when the password or the primary address changes: a stolen password may have granted anything. */
export async function deleteGrantsOf(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('oauth2_grant').where('account_id', '=', accountId).execute()
}
