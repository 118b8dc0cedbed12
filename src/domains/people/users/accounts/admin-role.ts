/** The role of site administrator, given and taken by an authentication source. */
import type { TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { updateAccount } from './accounts.ts'
import { assertNotLastAdmin } from './edit-user.ts'

/** False for the last administrator, who stays one. */
export async function setSiteAdmin(ctx: TxContext, id: number, isAdmin: boolean): Promise<boolean> {
  try {
    if (!isAdmin) await assertNotLastAdmin(ctx, id)
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
  await updateAccount(ctx.db, id, { is_admin: isAdmin, updated_at: ctx.now() })
  return true
}
