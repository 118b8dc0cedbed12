/** What the checks of a commit come to that somebody asks for. */
import type { Db } from '#platform/db'
import { combineRequired, type State } from './combine.ts'
import { listLatest, type Of } from './store.ts'

/** `patterns`: of contexts. One query. */
export async function findRequiredState(db: Db, of: Of, patterns: readonly string[]): Promise<State> {
  return combineRequired(await listLatest(db, of), patterns)
}
