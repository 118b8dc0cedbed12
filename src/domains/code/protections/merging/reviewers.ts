/** The users and teams whose reviews are official for a branch: a fixed number of queries. */

import type { Repository } from '#domains/code/repositories'
import { atLeast } from '#domains/people/access'
import type { TeamRecord } from '#domains/people/orgs'
import type { Db } from '#platform/db'
import { isOfficialReviewer, isOfficialTeam } from '../refs/decide.ts'
import { findReviewers } from '../rules/people.ts'
import { ruleFinder } from '../rules/rules.ts'
import { listBranchRules } from '../rules/store.ts'
import type { BranchProtectionRow } from '../tables.ts'

/** The rule that applies to a branch. */
export async function findRuleFor(
  db: Db,
  repositoryId: number,
  branch: string,
): Promise<BranchProtectionRow | undefined> {
  return ruleFinder(await listBranchRules(db, repositoryId))(branch)
}

/** The ids among `userIds` whose reviews are official. */
export async function findOfficialReviewers(
  db: Db,
  repo: Repository,
  branch: string,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set()
  const rule = await findRuleFor(db, repo.id, branch)
  const people = await findReviewers(db, repo, userIds)
  return new Set(people.filter((person) => isOfficialReviewer(rule, person)).map(({ id }) => id))
}

export async function findOfficialTeams(
  db: Db,
  repo: Repository,
  branch: string,
  teams: readonly TeamRecord[],
): Promise<ReadonlySet<number>> {
  if (teams.length === 0) return new Set()
  const rule = await findRuleFor(db, repo.id, branch)
  const official = teams.filter(({ id, level, units }) =>
    isOfficialTeam(rule, {
      id,
      mayWrite: atLeast(level, 'admin') || atLeast(units.code ?? 'none', 'write'),
    }),
  )
  return new Set(official.map(({ id }) => id))
}
