/** What nodes found out about failovers: an object of the store for each node and failover. */
import { json } from 'node:stream/consumers'
import type { ObjectStore } from '#platform/object-store'

export const FAILOVERS = 'failovers/'

export interface FailoverReport {
  readonly at: string
  /** Timelines of PostgreSQL. */
  readonly before: string
  readonly after: string
  readonly node: string
  /** How many operations the node had in memory, and how many of these are lost. */
  readonly acknowledged: number
  readonly lost: number
  /** The first of the lost ones. */
  readonly operations: readonly {
    readonly at: string
    readonly operation: string
    readonly account: string | null
    /** The parameters of its path, as JSON. */
    readonly target: string
  }[]
}

const REPORTS_MAX = 100

/** The newest ones since then. */
export async function readFailovers(store: ObjectStore, since: Date): Promise<FailoverReport[]> {
  const found: { key: string; modified_at: Date }[] = []
  for await (const object of store.list(FAILOVERS)) if (object.modified_at > since) found.push(object)
  const newest = found
    .toSorted((one, other) => other.modified_at.getTime() - one.modified_at.getTime())
    .slice(0, REPORTS_MAX)
  const reports: FailoverReport[] = []
  for (const { key } of newest) reports.push((await json((await store.read(key)).body)) as FailoverReport)
  return reports
}
