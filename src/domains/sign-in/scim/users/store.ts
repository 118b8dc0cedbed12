/** SQL on `scim_user`, and how filters name its columns. */
import { sql } from 'kysely'
import type { Db, Paged } from '#platform/db'
import { listWished } from '../filter/list.ts'
import type { Attributes } from '../filter/to-sql.ts'
import type { ListWish } from '../protocol/requests.ts'
import type { ScimUserRow } from '../tables.ts'
import type { MemberOf } from './wire.ts'

const inName = (part: string) => sql`lower(scim_user.attributes #>> ${sql.lit(`{name,${part}}`)})`

const USER_ATTRIBUTES: Attributes = {
  id: { kind: 'text', value: sql`scim_user.id::text` },
  externalid: { kind: 'text', value: sql`scim_user.external_id` },
  username: { kind: 'key', value: sql`scim_user.user_name_key` },
  displayname: { kind: 'key', value: sql`lower(scim_user.attributes ->> 'displayName')` },
  'name.formatted': { kind: 'key', value: inName('formatted') },
  'name.familyname': { kind: 'key', value: inName('familyName') },
  'name.givenname': { kind: 'key', value: inName('givenName') },
  active: { kind: 'boolean', value: sql`scim_user.is_active` },
  'meta.created': { kind: 'time', value: sql`scim_user.created_at` },
  'meta.lastmodified': { kind: 'time', value: sql`scim_user.updated_at` },
  emails: {
    kind: 'many',
    rows: sql`jsonb_array_elements(scim_user.attributes -> 'emails') as sent (email)`,
    fields: {
      value: { kind: 'key', value: sql`lower(sent.email ->> 'value')` },
      type: { kind: 'key', value: sql`lower(sent.email ->> 'type')` },
      primary: { kind: 'boolean', value: sql`(sent.email ->> 'primary')::boolean` },
    },
  },
  groups: {
    kind: 'many',
    rows: sql`(select group_id, group_name from provisioned_member
      where account_id = scim_user.account_id and source_id = scim_user.source_id) as held`,
    fields: {
      value: { kind: 'text', value: sql`held.group_id::text` },
      display: { kind: 'key', value: sql`lower(held.group_name)` },
    },
  },
}

export function selectScimUsers(db: Db, sourceId: number) {
  return db
    .selectFrom('scim_user')
    .selectAll('scim_user')
    .where('scim_user.source_id', '=', sourceId)
    .where('scim_user.is_deleted', '=', false)
}

export function listScimUsers(db: Db, sourceId: number, wish: ListWish): Promise<Paged<ScimUserRow>> {
  return listWished(selectScimUsers(db, sourceId), wish, {
    attributes: USER_ATTRIBUTES,
    key: sql.ref('scim_user.user_name_key'),
  })
}

/** The groups of many users with one statement. */
export async function findGroupsOf(
  db: Db,
  sourceId: number,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, readonly MemberOf[]>> {
  const groups = new Map<number, MemberOf[]>()
  if (accountIds.length === 0) return groups
  const rows = await db
    .selectFrom('provisioned_member')
    .select(['account_id', 'group_id as id', 'group_name as display_name'])
    .where('source_id', '=', sourceId)
    .where('account_id', '=', sql<number>`any(${[...accountIds]}::bigint[])`)
    .orderBy('group_name')
    .execute()
  for (const { account_id, ...group } of rows)
    groups.set(account_id, [...(groups.get(account_id) ?? []), group])
  return groups
}
