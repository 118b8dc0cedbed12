/** Secrets: encrypted when stored, decrypted for jobs only, and never shown. */
import type { OwnedScope } from '#domains/code/scopes'
import { type Context, transact } from '#platform/context'
import { type Paged, takePage } from '#platform/db'
import { Problem } from '#platform/problem'
import type { Page } from '#platform/rest'
import { assertName, nameOf } from './names.ts'
import { assertFits, deleteIn, isOf, selectIn } from './store.ts'
import type { SecretRow } from './tables.ts'

/** Purpose of the seal: the ciphertext cannot be opened for any other purpose. */
export const SEALED_FOR = 'action secret'

export type ListedSecret = Pick<SecretRow, 'name' | 'description' | 'created_at'>

export function listSecrets(ctx: Context, scope: OwnedScope, page: Page): Promise<Paged<ListedSecret>> {
  return takePage(
    selectIn(ctx.db, 'action_secret', scope).select(['name', 'description', 'created_at']).orderBy('name'),
    page,
  )
}

/** True if the secret was created. */
export async function putSecret(
  ctx: Context,
  scope: OwnedScope,
  { name: given, data, description = '' }: { name: string; data: string; description?: string },
): Promise<boolean> {
  const name = assertName(given)
  const sealed = ctx.seal.seal(SEALED_FOR, data)
  const { owner_id, repository_id } = scope
  return transact(ctx, async (ctx) => {
    const changed = await ctx.db
      .updateTable('action_secret')
      .set({ sealed, description })
      .where(isOf(scope))
      .where('name', '=', name)
      .returning('id')
      .executeTakeFirst()
    if (changed !== undefined) {
      await assertFits(ctx.db, 'action_secret', scope)
      return false
    }
    const row = { owner_id, repository_id, name, sealed, description, created_at: ctx.now() }
    const added = await ctx.db
      .insertInto('action_secret')
      .values(row)
      .onConflict((oc) => oc.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined)
      throw new Problem('conflict', 'secret was created concurrently, please try again')
    await assertFits(ctx.db, 'action_secret', scope)
    return true
  })
}

export async function deleteSecret(ctx: Context, scope: OwnedScope, name: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    if (!(await deleteIn(ctx.db, 'action_secret', scope, nameOf(name))))
      throw new Problem('not_found', 'secret was not found')
  })
}
