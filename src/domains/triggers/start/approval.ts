/** Whether somebody has to look at a pull request from a fork before its workflows run. */
import { may } from '#domains/access'
import { findAccessOf, type Repository } from '#domains/repositories'
import { findAccountById } from '#domains/users'
import type { Context } from '#platform/context'

/** Not for those who can write, nor for those of whom somebody looked at a run before. */
export async function needsApproval(ctx: Context, repo: Repository, actorId: number): Promise<boolean> {
  const account = await findAccountById(ctx.db, actorId)
  if (account === undefined || account.is_restricted) return true
  const access = await findAccessOf(ctx, repo.id, account)
  if (access !== undefined && (may(access, 'write', 'code') || may(access, 'write', 'actions'))) return false
  const approved = await ctx.db
    .selectFrom('action_run')
    .select('id')
    .where('actor_id', '=', actorId)
    .where('repository_id', '=', repo.id)
    .where('approver_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return approved === undefined
}
