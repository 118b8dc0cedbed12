/** The combined state of the required checks of a commit. */
import type { Db } from '#platform/db'
import { combineRequired, type State } from './combine.ts'
import { listLatest, type Of } from './store.ts'

/** `patterns`: globs of contexts. One query. */
export async function findRequiredState(db: Db, of: Of, patterns: readonly string[]): Promise<State> {
  return combineRequired(await listLatest(db, of), patterns)
}
