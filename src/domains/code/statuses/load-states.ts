/** The combined states of many commits, for lists, in one query. */
import type { Db } from '#platform/db'
import { combine, type State } from './combine.ts'
import { type Of, selectLatestStates } from './store.ts'

/** The returned function gives a commit's combined state; undefined for a commit without statuses. */
export async function loadStates(db: Db, commits: readonly Of[]): Promise<(commit: Of) => State | undefined> {
  const { rows: latest } = await selectLatestStates(commits).execute(db)
  const states = new Map(
    [...Map.groupBy(latest, keyOf)].map(([key, rows]) => [key, combine(rows.map(({ state }) => state))]),
  )
  return (commit) => states.get(keyOf(commit))
}

/** The repository id is part of the key because a fork has the same commits. */
function keyOf({ repositoryId, oid }: Of): string {
  return `${repositoryId}:${oid}`
}
