/** SQL on tokens and keys. Reads take any handle; writes take a transaction. */
import type { NotNull } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type {
  AccessTokenRow,
  GpgKeyRow,
  NewAccessTokenRow,
  NewGpgKeyRow,
  NewPublicKeyRow,
  OwnedPublicKeyRow,
  PublicKeyRow,
} from './tables.ts'

/** Newest first, without the tokens of OAuth2 applications and those that tokens made. */
export function selectTokens(db: Db, accountId: number) {
  return db
    .selectFrom('access_token')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('family_id', 'is', null)
    .where('parent_id', 'is', null)
    .orderBy('id', 'desc')
}

/** Undefined when the account already has a token of this name. */
export function insertToken(tx: Tx, row: NewAccessTokenRow): Promise<AccessTokenRow | undefined> {
  return tx
    .insertInto('access_token')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function deleteTokenById(tx: Tx, accountId: number, id: number): Promise<boolean> {
  // A larger number is no id, and may exceed bigint.
  if (!Number.isSafeInteger(id)) return false
  const gone = await tx
    .deleteFrom('access_token')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

export async function deleteTokenByName(tx: Tx, accountId: number, name: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('access_token')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

export async function deleteTokensOf(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('access_token').where('account_id', '=', accountId).execute()
}

export type CurrentTokenRow = AccessTokenRow & { readonly login: string }

export function findCurrentToken(db: Db, id: number): Promise<CurrentTokenRow | undefined> {
  return db
    .selectFrom('access_token')
    .innerJoin('account', 'account.id', 'access_token.account_id')
    .selectAll('access_token')
    .select('account.login')
    .where('access_token.id', '=', id)
    .executeTakeFirst()
}

export interface PublicKeyFilter {
  readonly accountId: number
  readonly fingerprint: string | undefined
}

export function selectPublicKeys(db: Db, { accountId, fingerprint }: PublicKeyFilter) {
  return db
    .selectFrom('public_key')
    .selectAll()
    .orderBy('id')
    .where('account_id', '=', accountId)
    .$if(Boolean(fingerprint), (query) => query.where('fingerprint', '=', fingerprint ?? ''))
}

/** Undefined when the key is in use, or the account already has the title. */
export function insertPublicKey(tx: Tx, row: NewPublicKeyRow): Promise<PublicKeyRow | undefined> {
  return tx
    .insertInto('public_key')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** A key with an owner; public keys of deploy keys have none. */
export function findPublicKey(db: Db, id: number): Promise<OwnedPublicKeyRow | undefined> {
  return db
    .selectFrom('public_key')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', 'is not', null)
    .$narrowType<{ account_id: NotNull }>()
    .executeTakeFirst()
}

export function findPublicKeyByFingerprint(db: Db, fingerprint: string): Promise<PublicKeyRow | undefined> {
  return db.selectFrom('public_key').selectAll().where('fingerprint', '=', fingerprint).executeTakeFirst()
}

/** A key that authenticates: of an account, or of at least one deploy key. */
export function findUsablePublicKey(db: Db, fingerprint: string): Promise<PublicKeyRow | undefined> {
  return db
    .selectFrom('public_key')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .where((eb) =>
      eb.or([
        eb('account_id', 'is not', null),
        eb.exists(
          eb
            .selectFrom('deploy_key')
            .select('deploy_key.id')
            .whereRef('deploy_key.public_key_id', '=', 'public_key.id'),
        ),
      ]),
    )
    .executeTakeFirst()
}

export async function updateLastUse(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('public_key').set({ last_used_at: now }).where('id', '=', id).execute()
}

export async function deletePublicKeyRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('public_key').where('id', '=', id).execute()
}

/** Primary keys, without subkeys. */
export function selectGpgKeys(db: Db, accountId: number) {
  return db
    .selectFrom('gpg_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('primary_id', 'is', null)
    .orderBy('id')
}

export function selectGpgSubkeys(db: Db, primaryIds: readonly number[]) {
  return db.selectFrom('gpg_key').selectAll().where('primary_id', 'in', primaryIds).orderBy('id')
}

/** Undefined when the key is in use. */
export function insertGpgKey(tx: Tx, row: NewGpgKeyRow): Promise<GpgKeyRow | undefined> {
  return tx
    .insertInto('gpg_key')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function insertGpgSubkeys(tx: Tx, rows: readonly NewGpgKeyRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('gpg_key').values(rows).execute()
}

export function findGpgKey(db: Db, accountId: number, id: number): Promise<GpgKeyRow | undefined> {
  return selectGpgKeys(db, accountId).where('id', '=', id).executeTakeFirst()
}

export function findGpgKeyByKeyId(db: Db, accountId: number, keyId: string): Promise<GpgKeyRow | undefined> {
  return db
    .selectFrom('gpg_key')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Whether any account has it as a primary key. A claim on it as a subkey does not count. */
export async function isGpgKeyKnown(db: Db, keyId: string): Promise<boolean> {
  const found = await db
    .selectFrom('gpg_key')
    .select('id')
    .where('key_id', '=', keyId)
    .where('primary_id', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Marks the key and its subkeys: one proof covers all of them. */
export async function markVerified(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('gpg_key')
    .set({ is_verified: true })
    .where((eb) => eb.or([eb('id', '=', id), eb('primary_id', '=', id)]))
    .execute()
}

export async function deleteGpgKeyRow(tx: Tx, accountId: number, id: number): Promise<void> {
  await tx
    .deleteFrom('gpg_key')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('primary_id', 'is', null)
    .execute()
}

export interface Email {
  readonly email: string
  readonly email_key: string
  readonly is_verified: boolean
}

export function listEmails(db: Db, accountId: number): Promise<Email[]> {
  return db
    .selectFrom('account_email')
    .select(['email', 'email_key', 'is_verified'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute()
}
