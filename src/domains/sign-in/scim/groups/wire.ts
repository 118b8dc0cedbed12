/** A group as clients of SCIM see it. Pure. */
import { locationOf, metaOf } from '../protocol/meta.ts'
import { GROUP } from '../protocol/names.ts'
import type { Json } from '../protocol/requests.ts'
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
          $ref: locationOf('User', it.id, siteUrl),
        })),
      }),
    meta: metaOf('Group', row, siteUrl),
  }
}
