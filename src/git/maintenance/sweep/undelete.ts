/** Restores a deleted storage during its restore period. */

import type { TxContext } from '#platform/context'
import { notFound } from '#platform/problem'
import type { StorageId } from '../../tables.ts'
import { UNDO_MS } from '../limits.ts'

/** The caller restores the record that named the storage, in the same transaction. */
export async function undeleteStorage(ctx: TxContext, id: StorageId): Promise<void> {
  const undone = await ctx.db
    .updateTable('git_storage')
    .set({ deleted_at: null })
    .where('id', '=', id)
    // Independent of the clocks of two nodes: a storage that is being swept cannot be restored.
    .where('is_swept', '=', false)
    .where('deleted_at', '>', new Date(ctx.now().getTime() - UNDO_MS))
    .returning('id')
    .executeTakeFirst()
  if (undone === undefined) throw notFound('deleted git storage', id)
}
