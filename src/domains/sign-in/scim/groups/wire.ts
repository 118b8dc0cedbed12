/** A group as clients of SCIM see it. Pure. */
import { BASE, GROUP } from '../protocol/names.ts'
import { etagOf, type Json } from '../protocol/requests.ts'
import type { ScimGroupRow } from '../tables.ts'

/** Without the name: clients that send a member without one would see another value than they sent. */
export interface Member {
  readonly id: string
}

/** `members`: undefined when the client does not want them. */
export function presentScimGroup(
  row: ScimGroupRow,
  members: readonly Member[] | undefined,
  siteUrl: string,
): Json {
  return {
    schemas: [GROUP],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.display_name,
    ...(members !== undefined &&
      members.length > 0 && {
        members: members.map((it) => ({
          value: it.id,
          $ref: `${siteUrl}${BASE}/Users/${it.id}`,
        })),
      }),
    meta: {
      resourceType: 'Group',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: locationOf(row, siteUrl),
      version: etagOf(row),
    },
  }
}

export function locationOf({ id }: Pick<ScimGroupRow, 'id'>, siteUrl: string): string {
  return `${siteUrl}${BASE}/Groups/${id}`
}
