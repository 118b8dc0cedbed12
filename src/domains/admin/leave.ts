/** Leaving: a person goes, and with `purge` everything that is theirs goes, too, in one transaction. */
import { deleteOrganization, leaveOrganizations, ownsAsLast } from '#domains/orgs'
import { deleteRepositoriesOf, leaveRepositories } from '#domains/repositories'
import { deleteUser, forgetUser, lockForDeletion, type ManagedUser } from '#domains/users'
import { type Context, transact } from '#platform/context'
import type { SiteAdmin } from '#platform/rest'

export async function letGo(
  ctx: Context,
  admin: SiteAdmin,
  user: ManagedUser,
  options: { purge: boolean },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await leaveRepositories(ctx, user)
    if (!options.purge) return deleteUser(ctx, admin, user)
    await lockForDeletion(ctx, admin, user)
    for (const org of await ownsAsLast(ctx.db, user.id)) {
      await deleteRepositoriesOf(ctx, org, admin.id)
      await deleteOrganization(ctx, org)
    }
    await deleteRepositoriesOf(ctx, user, admin.id)
    await leaveOrganizations(ctx, user)
    await forgetUser(ctx, user)
  })
}
