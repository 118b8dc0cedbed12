/** Purges a user: deletes the organizations that only they own, and removes them from the others. */
import type { UserEvent } from '#domains/people/users'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import { ownsAsLast } from '../grants.ts'
import { leaveOrganizations } from '../members/members.ts'
import { deleteOrganization } from './edit-org.ts'

export async function purgeMember(ctx: TxContext, { user_id, actor_id }: UserEvent): Promise<void> {
  for (const org of await ownsAsLast(ctx.db, user_id)) {
    await emit(ctx, 'account.purging', { account_id: org.id, actor_id })
    await deleteOrganization(ctx, org)
  }
  await leaveOrganizations(ctx, { id: user_id })
}
