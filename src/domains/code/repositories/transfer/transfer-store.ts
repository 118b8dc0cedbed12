/** SQL on pending transfers. Reads take any handle; writes take a transaction. */
import type { Db, Tx } from '#platform/db'
import type { TransferRow } from '../tables.ts'

export async function hasTransfer(db: Db, repositoryId: number): Promise<boolean> {
  const found = await db
    .selectFrom('repository_transfer')
    .select('repository_id')
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertTransfer(tx: Tx, row: TransferRow): Promise<void> {
  await tx.insertInto('repository_transfer').values(row).execute()
}

/** False when there was none. */
export async function deleteTransfer(tx: Tx, repositoryId: number, recipientId: number): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('repository_transfer')
    .where('repository_id', '=', repositoryId)
    .where('recipient_id', '=', recipientId)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** Deletes collaborations of the new owner and its members, who have access through the owner. */
export async function forgetInsiders(tx: Tx, repositoryId: number, ownerId: number): Promise<void> {
  await tx
    .deleteFrom('collaboration')
    .where('repository_id', '=', repositoryId)
    .where((eb) =>
      eb.or([
        eb('user_id', '=', ownerId),
        eb.exists(
          eb
            .selectFrom('membership')
            .select('membership.user_id')
            .where('membership.organization_id', '=', ownerId)
            .whereRef('membership.user_id', '=', 'collaboration.user_id'),
        ),
      ]),
    )
    .execute()
}
