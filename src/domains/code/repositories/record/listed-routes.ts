/** Paged responses of users and of repositories, shared by the lists of this slice. */

import type { SelectQueryBuilder } from 'kysely'
import { type Account, presentUser, type User } from '#domains/people/users'
import { type Paged, takePage } from '#platform/db'
import { type Answer, listed, pageOf } from '#platform/rest'
import { presentRepository, type Repository } from '../wire.ts'
import type { Repository as LoadedRepository } from './load.ts'

type Listing = Parameters<typeof listed>[0]

export function listedRepositories(
  visit: Listing,
  { items, total }: Paged<LoadedRepository>,
): Answer<200, Repository[]> {
  return listed(
    visit,
    items.map((repo) => presentRepository(repo, visit.ctx.site)),
    total,
  )
}

/** Two queries, whatever the number of users. Compat: lists of users send their total, but no link header. */
export async function listedPeople<DB, TB extends keyof DB>(
  visit: Listing,
  people: SelectQueryBuilder<DB, TB, Account>,
): Promise<Answer<200, User[]>> {
  const { ctx } = visit
  const { items, total } = await takePage(people, pageOf(ctx, visit.query))
  return listed(
    visit,
    items.map((person) => presentUser(person, ctx.actor, ctx.site)),
    total,
    { links: false },
  )
}
