/** REST records of statuses. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { presentRepository, type Repository, RepositoryRecord } from '#domains/code/repositories'
import { type Account, presentUser, User } from '#domains/people/users'
import { Time, time } from '#platform/rest'
import type { Site } from '#platform/site'
import { combine, State } from './combine.ts'
import type { StatusRow } from './tables.ts'

export type CommitStatus = Static<typeof CommitStatus>
export const CommitStatus = Type.Object(
  {
    id: Type.Integer(),
    status: State,
    target_url: Type.String(),
    description: Type.String(),
    url: Type.String(),
    context: Type.String(),
    creator: Type.Union([User, Type.Null()]),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'CommitStatus' },
)

export type CombinedStatus = Static<typeof CombinedStatus>
export const CombinedStatus = Type.Object(
  {
    state: State,
    sha: Type.String(),
    total_count: Type.Integer(),
    statuses: Type.Array(CommitStatus),
    repository: RepositoryRecord,
    commit_url: Type.String(),
    url: Type.String(),
  },
  { title: 'CombinedStatus' },
)

export interface Around {
  readonly repo: Repository
  readonly creators: ReadonlyMap<number, Account>
  readonly site: Site
}

export function presentStatus(row: StatusRow, { repo, creators, site }: Around): CommitStatus {
  const creator = row.creator_id === null ? undefined : creators.get(row.creator_id)
  return {
    id: row.id,
    status: row.state,
    target_url: row.target_url,
    description: row.description,
    url: `${site.apiUrl}/repos/${repo.owner.login}/${repo.name}/statuses/${row.oid}`,
    context: row.context,
    // Compat: the creator is presented as to an anonymous caller.
    creator: creator === undefined ? null : presentUser(creator, null, site),
    created_at: time(row.created_at),
    updated_at: time(row.created_at),
  }
}

/** `page` is one page of `latest`; the combined state is computed from all of `latest`. */
export function presentCombined(
  oid: string,
  latest: readonly StatusRow[],
  page: readonly StatusRow[],
  around: Around,
): CombinedStatus {
  const { repo, site } = around
  const address = `${site.apiUrl}/repos/${repo.owner.login}/${repo.name}/commits/${oid}`
  return {
    state: combine(latest.map(({ state }) => state)),
    sha: oid,
    total_count: latest.length,
    statuses: page.map((row) => presentStatus(row, around)),
    repository: presentRepository(repo, site),
    commit_url: address,
    url: `${address}/status`,
  }
}
