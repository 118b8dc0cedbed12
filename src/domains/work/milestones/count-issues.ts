/** How many issues and pull requests are in a milestone, kept in the transaction that changes one of them. */
import type { Tx } from '#platform/db'

export interface IssueCounts {
  readonly open_issues: number
  readonly closed_issues: number
}

interface Counted {
  readonly milestone_id: number | null
  readonly is_closed: boolean
}

/** An issue was one, and is another; null where it was not there, or is no more. */
export async function countMoved(tx: Tx, before: Counted | null, after: Counted | null): Promise<void> {
  const changes = new Map<number, IssueCounts>()
  for (const [issue, by] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (issue === null || issue.milestone_id === null) continue
    const { open_issues, closed_issues } = changes.get(issue.milestone_id) ?? NONE
    changes.set(issue.milestone_id, {
      open_issues: open_issues + (issue.is_closed ? 0 : by),
      closed_issues: closed_issues + (issue.is_closed ? by : 0),
    })
  }
  await countInMilestones(tx, changes)
}

const NONE: IssueCounts = { open_issues: 0, closed_issues: 0 }

/** By milestone, how many more there are. Invariant: the lower number is locked before the higher. */
export async function countInMilestones(tx: Tx, changes: ReadonlyMap<number, IssueCounts>): Promise<void> {
  for (const [id, { open_issues, closed_issues }] of [...changes].sort(([a], [b]) => a - b))
    if (open_issues !== 0 || closed_issues !== 0)
      await tx
        .updateTable('milestone_count')
        .set((eb) => ({
          open_issues: eb('open_issues', '+', open_issues),
          closed_issues: eb('closed_issues', '+', closed_issues),
        }))
        .where('milestone_id', '=', id)
        .execute()
}
