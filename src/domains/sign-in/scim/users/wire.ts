/** A user as clients of SCIM see it. Pure. */
import { locationOf, metaOf } from '../protocol/meta.ts'
import { USER } from '../protocol/names.ts'
import type { Json } from '../protocol/requests.ts'
import type { ScimUserRow } from '../tables.ts'

export interface MemberOf {
  readonly id: string
  readonly display_name: string
}

export function presentScimUser(row: ScimUserRow, groups: readonly MemberOf[], siteUrl: string): Json {
  const { name, displayName, emails } = row.attributes
  return {
    schemas: [USER],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name,
    ...(name !== undefined && { name }),
    ...(displayName !== undefined && { displayName }),
    ...(emails !== undefined && { emails }),
    active: row.is_active,
    ...(groups.length > 0 && {
      groups: groups.map((it) => ({
        value: it.id,
        $ref: locationOf('Group', it.id, siteUrl),
        display: it.display_name,
      })),
    }),
    meta: metaOf('User', row, siteUrl),
  }
}

/** What operations of a PATCH apply to. */
export function editable(row: ScimUserRow): Json {
  return {
    userName: row.user_name,
    ...(row.external_id !== null && { externalId: row.external_id }),
    ...row.attributes,
    active: row.is_active,
  }
}
