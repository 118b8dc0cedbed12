/** Tracked times of an exported repository. */
import { Type } from 'typebox'
import { insertImportedTimes, SECONDS_MAX } from '#domains/work/issues'
import type { TxContext } from '#platform/context'
import type { People } from '../records/match-people.ts'
import { text, timeOf } from '../sources/fields.ts'
import { checkBatches } from './check-lines.ts'
import type { ExportedRepository } from './exported-repository.ts'
import { IssueNumber } from './schemas.ts'

const TIMES = { most: 500_000 }
const Time = Type.Object({
  number: IssueNumber,
  user: Type.Object({ login: Type.String() }),
  /** Below zero to take back what was too much. */
  time: Type.Integer({ minimum: -SECONDS_MAX, maximum: SECONDS_MAX }),
  created: text,
})

/** Returns how many are left out: those of people who are not here, or of issues that were not imported. */
export async function insertTimes(
  ctx: TxContext,
  repository: ExportedRepository,
  repositoryId: number,
  people: People,
): Promise<number> {
  let left = 0
  for await (const times of checkBatches(repository, 'times', Time, TIMES)) {
    const rows = times.flatMap(({ number, user, time, created }) => {
      const user_id = people.get(user.login.toLowerCase())?.id
      const created_at = timeOf(created) ?? ctx.now()
      return user_id === undefined ? [] : [{ number, user_id, seconds: time, created_at }]
    })
    left += times.length - (await insertImportedTimes(ctx, repositoryId, rows))
  }
  return left
}
