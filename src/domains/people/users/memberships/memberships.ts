/**
 * SQL on `membership`: the members of organizations. Reads take any handle; writes take a transaction.
 *
 * Invariant: adding and removing members requires the organization's lock, so that the counter and the rows agree.
 */
import { sql } from 'kysely'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import { count, selectAccounts } from '../accounts/accounts.ts'
import type { Account } from '../tables.ts'

/** The members of an organization ordered by id: all, or only public members. */
export function listMembers(
  db: Db,
  organizationId: number,
  filter: { publicOnly: boolean },
  page: Page,
): Promise<Paged<Account>> {
  let counted = db.selectFrom('membership').where('organization_id', '=', organizationId)
  if (filter.publicOnly) counted = counted.where('is_public', '=', true)
  return takePage(selectMembers(db, organizationId, filter), page, counted)
}

function selectMembers(db: Db, organizationId: number, { publicOnly }: { publicOnly: boolean }) {
  const members = selectAccounts(db)
    .innerJoin('membership', 'membership.user_id', 'account.id')
    .where('membership.organization_id', '=', organizationId)
    .orderBy('membership.user_id')
  return publicOnly ? members.where('membership.is_public', '=', true) : members
}

/** Undefined for a user who is not a member. */
export function findMembership(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<{ is_public: boolean } | undefined> {
  return db
    .selectFrom('membership')
    .select('is_public')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Does nothing for a member. A new membership is not public. */
export async function addMember(tx: Tx, organizationId: number, userId: number): Promise<void> {
  const added = await tx
    .insertInto('membership')
    .values({ organization_id: organizationId, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (added.numInsertedOrUpdatedRows === 1n) await count(tx, organizationId, 'members', 1)
}

/** False for a user who is not a member. */
export async function setMemberPublic(
  tx: Tx,
  organizationId: number,
  userId: number,
  isPublic: boolean,
): Promise<boolean> {
  const changed = await tx
    .updateTable('membership')
    .set({ is_public: isPublic })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** In one statement, because deleting a team may remove thousands of members. */
export async function removeMembers(
  tx: Tx,
  organizationId: number,
  userIds: readonly number[],
): Promise<void> {
  const removed = await tx
    .deleteFrom('membership')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', sql<number>`any(${[...userIds]}::bigint[])`)
    .executeTakeFirst()
  await tx
    .updateTable('account_count')
    .set((eb) => ({ members: eb('members', '-', Number(removed.numDeletedRows)) }))
    .where('account_id', '=', organizationId)
    .execute()
}
