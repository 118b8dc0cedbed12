/** Taking a deletion back, while there is time. */

import type { TxContext } from '#platform/context'
import { notFound } from '#platform/problem'
import type { StorageId } from '../../tables.ts'
import { UNDO_MS } from '../limits.ts'

/** The record that named the storage is the caller's to make again, in the same transaction. */
export async function undeleteStorage(ctx: TxContext, id: StorageId): Promise<void> {
  const undone = await ctx.db
    .updateTable('git_storage')
    .set({ deleted_at: null })
    .where('id', '=', id)
    // Whatever the clocks of two nodes say: what is being swept is gone.
    .where('is_swept', '=', false)
    .where('deleted_at', '>', new Date(ctx.now().getTime() - UNDO_MS))
    .returning('id')
    .executeTakeFirst()
  if (undone === undefined) throw notFound('deleted git storage', id)
}
