/** Authors of imported records in the wire format. Pure. */
import { type Static, Type } from 'typebox'
import type { Account } from '#domains/people/users'
import { Time, time } from '#platform/rest'
import type { ListedAuthor } from './assign-author.ts'

export type ImportedAuthor = Static<typeof ImportedAuthor>
export const ImportedAuthor = Type.Object(
  {
    id: Type.Integer({ description: 'id at the forge' }),
    name: Type.String({ description: 'name at the forge, when records were imported last' }),
    host: Type.Object(
      {
        id: Type.Integer(),
        service: Type.Enum(['github', 'gitlab', 'gitea', 'export'], { type: 'string' }),
        url: Type.String(),
      },
      { title: 'ImportHost' },
    ),
    username: Type.String({ description: 'user who has the records; empty for nobody' }),
    decided_by: Type.Enum(['', 'identity', 'administrator'], { type: 'string' }),
    decided_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'ImportedAuthor' },
)

export function presentAuthor(row: ListedAuthor, accounts: ReadonlyMap<number, Account>): ImportedAuthor {
  return {
    id: row.author_id,
    name: row.name,
    host: { id: row.host_id, service: row.service, url: row.url },
    username: accounts.get(row.account_id ?? 0)?.login ?? '',
    decided_by: row.decided_by ?? '',
    decided_at: row.decided_at === null ? null : time(row.decided_at),
  }
}
