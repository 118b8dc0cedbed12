/** The wire format of columns. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { type Account, presentUser, User } from '#domains/people/users'
import type { Actor } from '#platform/context'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import type { ColumnRow } from '../tables.ts'

export type ProjectColumn = Static<typeof ProjectColumn>
export const ProjectColumn = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    default: Type.Boolean(),
    sorting: Type.Integer(),
    color: Type.String(),
    project_id: Type.Integer(),
    creator: Type.Optional(User),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'ProjectColumn' },
)

/** Everything needed to present columns. */
export interface Around {
  readonly viewer: Actor | null
  readonly accounts: ReadonlyMap<number, Account>
  readonly site: Site
}

export function presentColumn(column: ColumnRow, { viewer, accounts, site }: Around): ProjectColumn {
  const creator = accounts.get(column.creator_id ?? 0)
  return {
    id: column.id,
    title: column.title,
    default: column.is_default,
    sorting: column.sorting,
    color: column.color,
    project_id: column.project_id,
    ...(creator && { creator: presentUser(creator, viewer, site) }),
    created_at: time(column.created_at),
    updated_at: time(column.updated_at),
  }
}
