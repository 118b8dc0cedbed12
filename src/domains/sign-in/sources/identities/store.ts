/** SQL on `external_identity`. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { IdentityRow } from '../tables.ts'

export function selectIdentities(db: Db) {
  return db.selectFrom('external_identity').selectAll('external_identity')
}

/** The only way from a person at a source to an account. */
export function findIdentity(db: Db, sourceId: number, subject: string): Promise<IdentityRow | undefined> {
  return selectIdentities(db)
    .where('source_id', '=', sourceId)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export function findIdentityOf(
  db: Db,
  sourceId: number,
  accountId: number,
): Promise<IdentityRow | undefined> {
  return selectIdentities(db)
    .where('source_id', '=', sourceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Accounts of people at an OpenID provider, by subject. Trailing slashes of its address do not matter. */
export async function findLinked(
  db: Db,
  issuer: string,
  subjects: readonly string[],
): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map()
  const rows = await db
    .selectFrom('external_identity')
    .innerJoin('authentication_source as source', 'source.id', 'external_identity.source_id')
    .select(['subject', 'account_id'])
    .where('source.kind', '=', 'oidc')
    .where('source.is_enabled', '=', true)
    .where(sql<boolean>`rtrim(source.settings->>'issuer', '/') = ${issuer}`)
    .where('subject', '=', sql<string>`any(${[...subjects]}::text[])`)
    .orderBy('source.id', 'desc')
    .execute()
  return new Map(rows.map(({ subject, account_id }) => [subject, account_id]))
}

/** The source says that the person has another subject now. The caller has checked that it is free. */
export async function renameSubject(tx: Tx, { id }: Pick<IdentityRow, 'id'>, subject: string): Promise<void> {
  await tx.updateTable('external_identity').set({ subject }).where('id', '=', id).execute()
}

/** The directory has the person. */
export const FOUND = { missed_at: null, gone_at: null } as const

export type NewIdentity = Pick<IdentityRow, 'source_id' | 'subject' | 'account_id' | 'login' | 'email'>

/** Undefined when the identity, or another one of the source, is linked already. */
export async function insertIdentity(tx: Tx, row: NewIdentity, now: Date): Promise<IdentityRow | undefined> {
  return tx
    .insertInto('external_identity')
    .values({ ...row, created_at: now, last_used_at: null, checked_at: now, ...FOUND, removed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}
