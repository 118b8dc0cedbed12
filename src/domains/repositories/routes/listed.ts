/** Pages of people and of repositories, as every list around a repository answers them. */
import type { SelectQueryBuilder } from 'kysely'
import { type Account, presentUser, type User } from '#domains/users'
import { type Answer, listed, pageOf } from '#platform/rest'
import type { Found } from '../search.ts'
import { presentRepository, type Repository } from '../wire.ts'

type Listing = Parameters<typeof listed>[0]

export function listedRepositories(
  visit: Listing,
  { repositories, total }: Found,
): Answer<200, Repository[]> {
  return listed(
    visit,
    repositories.map((repo) => presentRepository(repo, visit.ctx.site)),
    total,
  )
}

/** Two queries, however many there are. Compat: lists of people tell their count, and have no links. */
export async function listedPeople<DB, TB extends keyof DB>(
  visit: Listing,
  people: SelectQueryBuilder<DB, TB, Account>,
): Promise<Answer<200, User[]>> {
  const { ctx } = visit
  const page = pageOf(ctx, visit.query)
  const items = await people.limit(page.limit).offset(page.offset).execute()
  const counted = await people
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return listed(
    visit,
    (items as Account[]).map((person) => presentUser(person, ctx.actor, ctx.site)),
    (counted as { total: number }).total,
    { links: false },
  )
}
