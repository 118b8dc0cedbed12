/** Operations that delete or move a repository or its owner, and how to see whether they were done. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import type { Place } from './work.ts'

export interface Deed {
  readonly name: string
  readonly method: string
  readonly path: (place: Place) => string
  readonly body?: (place: Place) => object
  /** A statement that only its transaction has. */
  readonly statement: RegExp
  /** Where the repository is afterwards; undefined when it is deleted. */
  readonly leadsTo: (place: Place) => Place | undefined
}

export const GUILD = 'guild'

export const DEEDS: readonly Deed[] = [
  {
    name: 'delete a repository',
    method: 'DELETE',
    path: ({ owner, name }) => `/repos/${owner}/${name}`,
    statement: /^delete from "repository" /,
    leadsTo: () => undefined,
  },
  {
    name: 'rename a repository',
    method: 'PATCH',
    path: ({ owner, name }) => `/repos/${owner}/${name}`,
    body: ({ name }) => ({ name: `${name}-renamed` }),
    statement: /^update "repository" set "name"/,
    leadsTo: ({ owner, name }) => ({ owner, name: `${name}-renamed` }),
  },
  {
    name: 'transfer a repository',
    method: 'POST',
    path: ({ owner, name }) => `/repos/${owner}/${name}/transfer`,
    body: () => ({ new_owner: GUILD }),
    statement: /^update "repository" set "owner_id"/,
    leadsTo: ({ name }) => ({ owner: GUILD, name }),
  },
  {
    name: 'rename an owner',
    method: 'POST',
    path: ({ owner }) => `/admin/users/${owner}/rename`,
    body: ({ owner }) => ({ new_username: `${owner}-renamed` }),
    statement: /^update "account" set "login"/,
    leadsTo: ({ owner, name }) => ({ owner: `${owner}-renamed`, name }),
  },
  {
    name: 'delete an owner',
    method: 'DELETE',
    path: ({ owner }) => `/admin/users/${owner}?purge=true`,
    statement: /^delete from "account" /,
    leadsTo: () => undefined,
  },
]

/** Where a repository is now; undefined when it is gone. */
export async function findPlace(db: Db, id: number): Promise<Place | undefined> {
  const { rows } = await sql<Place>`select login as owner, name from repository
    join account on account.id = owner_id where repository.id = ${id}`.execute(db)
  return rows[0]
}
