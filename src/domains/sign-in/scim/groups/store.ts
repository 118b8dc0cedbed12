/** SQL on `scim_group`, and how filters name its columns. */
import { sql } from 'kysely'
import type { Db, Paged } from '#platform/db'
import { listWished } from '../filter/list.ts'
import type { Attributes } from '../filter/to-sql.ts'
import type { ListWish } from '../protocol/requests.ts'
import type { ScimGroupRow } from '../tables.ts'
import type { Member } from './wire.ts'

const GROUP_ATTRIBUTES: Attributes = {
  id: { kind: 'text', value: sql`scim_group.id::text` },
  externalid: { kind: 'text', value: sql`scim_group.external_id` },
  displayname: { kind: 'key', value: sql`lower(scim_group.display_name)` },
  'meta.created': { kind: 'time', value: sql`scim_group.created_at` },
  'meta.lastmodified': { kind: 'time', value: sql`scim_group.updated_at` },
  members: {
    kind: 'many',
    rows: sql`(select scim_user.id from provisioned_member as held
      join scim_user on scim_user.account_id = held.account_id and scim_user.source_id = held.source_id
      where held.group_id = scim_group.id and not scim_user.is_deleted) as member`,
    fields: {
      value: { kind: 'text', value: sql`member.id::text` },
    },
  },
}

export function selectScimGroups(db: Db, sourceId: number) {
  return db.selectFrom('scim_group').selectAll('scim_group').where('scim_group.source_id', '=', sourceId)
}

export function listScimGroups(db: Db, sourceId: number, wish: ListWish): Promise<Paged<ScimGroupRow>> {
  return listWished(selectScimGroups(db, sourceId), wish, {
    attributes: GROUP_ATTRIBUTES,
    key: sql.ref('scim_group.display_name'),
  })
}

/** The members of many groups with one statement. */
export async function findMembersOf(
  db: Db,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Member[]>> {
  const members = new Map<string, Member[]>(groupIds.map((id) => [id, []]))
  if (groupIds.length === 0) return members
  const rows = await db
    .selectFrom('provisioned_member')
    .innerJoin('scim_user', (join) =>
      join
        .onRef('scim_user.account_id', '=', 'provisioned_member.account_id')
        .onRef('scim_user.source_id', '=', 'provisioned_member.source_id'),
    )
    .select(['provisioned_member.group_id', 'scim_user.id'])
    .where('provisioned_member.group_id', '=', sql<string>`any(${[...groupIds]}::uuid[])`)
    .where('scim_user.is_deleted', '=', false)
    .orderBy('scim_user.user_name_key')
    .execute()
  for (const { group_id, ...member } of rows) members.get(group_id)?.push(member)
  return members
}

/** The accounts of users of the source. */
export async function findAccountIds(
  db: Db,
  sourceId: number,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('scim_user')
    .select(['id', 'account_id'])
    .where('source_id', '=', sourceId)
    .where('is_deleted', '=', false)
    .where('id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row.account_id]))
}
