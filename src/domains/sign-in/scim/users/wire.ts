/** A user as clients of SCIM see it. Pure. */
import { BASE, USER } from '../protocol/names.ts'
import { etagOf, type Json } from '../protocol/requests.ts'
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
        $ref: `${siteUrl}${BASE}/Groups/${it.id}`,
        display: it.display_name,
      })),
    }),
    meta: {
      resourceType: 'User',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: locationOf(row, siteUrl),
      version: etagOf(row),
    },
  }
}

export function locationOf({ id }: Pick<ScimUserRow, 'id'>, siteUrl: string): string {
  return `${siteUrl}${BASE}/Users/${id}`
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
