/** SQL on deploy keys and the public keys behind them. Reads take any handle; writes take a transaction. */
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { DeployKeyRow, NewDeployKeyRow } from '../tables.ts'

/** A deploy key with what is known of its public key; a token has none. */
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

/** A title or a key that the repository has already gives undefined. */
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

/** The public key of nobody that deploy keys share, made or found, and locked; a key that is a person's gives undefined. */
export function holdPublicKey(
  tx: Tx,
  row: { readonly fingerprint: string; readonly key: string; readonly created_at: Date },
): Promise<{ id: number; key: string } | undefined> {
  return tx
    .insertInto('public_key')
    .values({ ...row, account_id: null, title: '', last_used_at: null })
    .onConflict((conflict) =>
      // Nothing changes; but only a row that is written is locked and returned.
      conflict.column('fingerprint').doUpdateSet({ title: '' }).where('public_key.account_id', 'is', null),
    )
    .returning(['id', 'key'])
    .executeTakeFirst()
}

/** Nobody adds a deploy key of it, or takes the last one away, before this transaction is over. */
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

/** Takes a public key of nobody away, if it is locked and no deploy key uses it any more. */
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
