/** Counts the issues and pull requests of milestones, in the transaction that changes one. */
import type { Tx } from '#platform/db'

export interface IssueCounts {
  readonly open_issues: number
  readonly closed_issues: number
}

interface Counted {
  readonly milestone_id: number | null
  readonly is_closed: boolean
}

/** Counts a change of an issue; `before` null: created, `after` null: deleted. */
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

/** Adds to the counters of each milestone. Invariant: lower ids are locked before higher ones. */
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
