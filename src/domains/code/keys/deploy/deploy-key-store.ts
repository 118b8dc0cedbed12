/** SQL on deploy keys and their public keys. Reads take any handle; writes take a transaction. */
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { DeployKeyRow, NewDeployKeyRow } from '../tables.ts'

/** A deploy key with its public key; null for a token. */
export type DeployKeyRecord = DeployKeyRow & {
  readonly key: string | null
  readonly fingerprint: string | null
}

export interface DeployKeyFilter {
  readonly repositoryId: number
  readonly publicKeyId?: number | undefined
  readonly fingerprint?: string | undefined
}

export function listDeployKeyRecords(
  db: Db,
  filter: DeployKeyFilter,
  page: Page,
): Promise<Paged<DeployKeyRecord>> {
  return takePage(records(db, filter).orderBy('deploy_key.id'), page, filtered(db, filter))
}

export function findDeployKey(
  db: Db,
  repositoryId: number,
  id: number,
): Promise<DeployKeyRecord | undefined> {
  return records(db, { repositoryId }).where('deploy_key.id', '=', id).executeTakeFirst()
}

export function findByDigest(db: Db, digest: Buffer): Promise<DeployKeyRow | undefined> {
  return db.selectFrom('deploy_key').selectAll().where('digest', '=', digest).executeTakeFirst()
}

export function findByPublicKey(
  db: Db,
  publicKeyId: number,
  repositoryId: number,
): Promise<DeployKeyRow | undefined> {
  return db
    .selectFrom('deploy_key')
    .selectAll()
    .where('public_key_id', '=', publicKeyId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
}

/** Undefined when the repository already has the title or the key. */
export function insertDeployKey(tx: Tx, row: NewDeployKeyRow): Promise<DeployKeyRow | undefined> {
  return tx
    .insertInto('deploy_key')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateDeployKeyUse(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('deploy_key').set({ last_used_at: now }).where('id', '=', id).execute()
}

export async function deleteDeployKeyRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('deploy_key').where('id', '=', id).execute()
}

/**
 * Finds or inserts the ownerless public key that deploy keys share, and locks it; undefined if an account owns the
 * key.
 */
export function holdPublicKey(
  tx: Tx,
  row: { readonly fingerprint: string; readonly key: string; readonly created_at: Date },
): Promise<{ id: number; key: string } | undefined> {
  return tx
    .insertInto('public_key')
    .values({ ...row, account_id: null, title: '', last_used_at: null })
    .onConflict((conflict) =>
      // A no-op update, because only an updated row is locked and returned.
      conflict.column('fingerprint').doUpdateSet({ title: '' }).where('public_key.account_id', 'is', null),
    )
    .returning(['id', 'key'])
    .executeTakeFirst()
}

/** Blocks concurrent additions and removals of deploy keys of this public key until the transaction ends. */
export async function lockPublicKey(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('public_key').select('id').where('id', '=', id).forUpdate().execute()
}

export async function lockUnowned(tx: Tx, fingerprint: string): Promise<number | undefined> {
  const found = await tx
    .selectFrom('public_key')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .where('account_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return found?.id
}

/** Deletes an ownerless public key without deploy keys. The caller holds its lock. */
export async function deleteUnusedPublicKey(tx: Tx, id: number): Promise<void> {
  await tx
    .deleteFrom('public_key')
    .where('id', '=', id)
    .where('account_id', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deploy_key')
            .select('deploy_key.id')
            .whereRef('deploy_key.public_key_id', '=', 'public_key.id'),
        ),
      ),
    )
    .execute()
}

function records(db: Db, filter: DeployKeyFilter) {
  return filtered(db, filter)
    .leftJoin('public_key', 'public_key.id', 'deploy_key.public_key_id')
    .selectAll('deploy_key')
    .select(['public_key.key', 'public_key.fingerprint'])
}

function filtered(db: Db, { repositoryId, publicKeyId, fingerprint }: DeployKeyFilter) {
  const named = db
    .selectFrom('public_key')
    .select('id')
    .where('fingerprint', '=', fingerprint ?? '')
  return db
    .selectFrom('deploy_key')
    .where('deploy_key.repository_id', '=', repositoryId)
    .$if(Boolean(publicKeyId), (query) => query.where('deploy_key.public_key_id', '=', publicKeyId ?? 0))
    .$if(Boolean(fingerprint), (query) => query.where('deploy_key.public_key_id', '=', named))
}
