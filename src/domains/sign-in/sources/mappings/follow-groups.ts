/** Applies the mappings of a source to one account, in the transaction of its sign-in. */
import { followTeams } from '#domains/people/orgs'
import { type Account, setSiteAdmin } from '#domains/people/users'
import type { TxContext } from '#platform/context'
import type { IdentityRow } from '../tables.ts'
import { findProvisioned } from './provisioned.ts'

type Followed = Pick<IdentityRow, 'id' | 'source_id' | 'made_admin'>

/**
 * Only teams that a mapping names are followed, and only a role that a mapping gave is taken. A source that says nothing
 * of groups says that there are none: providers leave empty lists out. Of a source whose groups SCIM clients provision,
 * those groups alone count.
 */
export async function followGroups(
  ctx: TxContext,
  identity: Followed,
  account: Pick<Account, 'id' | 'is_admin'>,
  groups: readonly string[] | null,
): Promise<void> {
  const mappings = await ctx.db
    .selectFrom('source_mapping')
    .select(['group_name', 'team_id'])
    .where('source_id', '=', identity.source_id)
    .execute()
  const provisioned = await findProvisioned(ctx.db, identity.source_id, account.id)
  const held = new Set(provisioned ?? groups ?? [])
  const teamsOf = (list: typeof mappings) =>
    list.flatMap(({ team_id }) => (team_id === null ? [] : [team_id]))
  const given = mappings.filter(({ group_name }) => held.has(group_name))
  await followTeams(ctx, account, { mapped: teamsOf(mappings), wanted: new Set(teamsOf(given)) })
  await followRole(
    ctx,
    identity,
    account,
    given.some(({ team_id }) => team_id === null),
  )
}

async function followRole(
  ctx: TxContext,
  { id, made_admin }: Followed,
  account: Pick<Account, 'id' | 'is_admin'>,
  isWanted: boolean,
): Promise<void> {
  if (isWanted === account.is_admin || (!isWanted && !made_admin)) return
  if (!(await setSiteAdmin(ctx, account.id, isWanted))) {
    ctx.log.warn(
      { account: { id: account.id } },
      'the last administrator left the group of administrators of an authentication source, and stays administrator',
    )
    return
  }
  await ctx.db.updateTable('external_identity').set({ made_admin: isWanted }).where('id', '=', id).execute()
}
