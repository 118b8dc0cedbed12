/** What the checks of many commits come to, for lists: one query for all of them. */
import type { Db } from '#platform/db'
import { combine, type State } from './combine.ts'
import { type Of, selectLatestStates } from './store.ts'

/** Gives back what tells it of each; nothing of a commit that nobody has checked. */
export async function loadStates(db: Db, commits: readonly Of[]): Promise<(commit: Of) => State | undefined> {
  const { rows: latest } = await selectLatestStates(commits).execute(db)
  const states = new Map(
    [...Map.groupBy(latest, keyOf)].map(([key, rows]) => [key, combine(rows.map(({ state }) => state))]),
  )
  return (commit) => states.get(keyOf(commit))
}

/** A fork has the same commits. */
function keyOf({ repositoryId, oid }: Of): string {
  return `${repositoryId}:${oid}`
}
