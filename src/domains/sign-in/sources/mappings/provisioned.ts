/** SQL on `provisioned_member`: the groups into which SCIM clients have put the people of a source. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'

interface Group {
  readonly id: string
  readonly source_id: number
  readonly display_name: string
}

/** The names of an account's groups; undefined for a source whose groups no SCIM client provisions. */
export async function findProvisioned(
  db: Db,
  sourceId: number,
  accountId: number,
): Promise<string[] | undefined> {
  const { rows } = await sql<{ is_used: boolean; names: string[] }>`
    select exists (select from provisioned_member where source_id = ${sourceId}) as is_used,
      array(select group_name from provisioned_member
        where account_id = ${accountId} and source_id = ${sourceId}) as names`.execute(db)
  return rows[0]?.is_used ? rows[0].names : undefined
}

/** Returns those who were not members before. */
export async function insertMembers(tx: Tx, group: Group, accountIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ account_id: number }>`
    insert into provisioned_member (group_id, account_id, source_id, group_name)
      select ${group.id}, id, ${group.source_id}, ${group.display_name} from unnest(${[...accountIds]}::bigint[]) as ids (id)
      on conflict do nothing returning account_id`.execute(tx)
  return rows.map(({ account_id }) => Number(account_id))
}

/** Returns those who were members. */
export async function dropMembers(tx: Tx, groupId: string, accountIds: readonly number[]): Promise<number[]> {
  const rows = await tx
    .deleteFrom('provisioned_member')
    .where('group_id', '=', groupId)
    .where('account_id', '=', sql<number>`any(${[...accountIds]}::bigint[])`)
    .returning('account_id')
    .execute()
  return rows.map(({ account_id }) => account_id)
}

export async function listMemberIds(db: Db, groupId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('provisioned_member')
    .select('account_id')
    .where('group_id', '=', groupId)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

/** Mappings name groups by their names. */
export async function renameMembersGroup(tx: Tx, groupId: string, name: string): Promise<void> {
  await tx
    .updateTable('provisioned_member')
    .set({ group_name: name })
    .where('group_id', '=', groupId)
    .execute()
}

/** A person whom a client has deleted is in no group of the source. */
export async function dropMemberships(tx: Tx, sourceId: number, accountId: number): Promise<void> {
  await tx
    .deleteFrom('provisioned_member')
    .where('source_id', '=', sourceId)
    .where('account_id', '=', accountId)
    .execute()
}

/** Whether a group gives a team or a role: people of other groups need no second look. */
export async function isMapped(db: Db, sourceId: number, groupName: string): Promise<boolean> {
  const found = await db
    .selectFrom('source_mapping')
    .select('id')
    .where('source_id', '=', sourceId)
    .where('group_name', '=', groupName)
    .executeTakeFirst()
  return found !== undefined
}
