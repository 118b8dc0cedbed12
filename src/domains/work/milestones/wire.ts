/** The wire format of milestones. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import type { MilestoneRow } from './tables.ts'

const State = Type.Union([Type.Literal('open'), Type.Literal('closed')])

export type Milestone = Static<typeof Milestone>
export const Milestone = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    description: Type.String(),
    state: State,
    open_issues: Type.Integer(),
    closed_issues: Type.Integer(),
    created_at: Time,
    updated_at: Type.Union([Time, Type.Null()]),
    closed_at: Type.Union([Time, Type.Null()]),
    due_on: Type.Union([Time, Type.Null()]),
  },
  { title: 'Milestone' },
)

export function presentMilestone(milestone: MilestoneRow): Milestone {
  return {
    id: milestone.id,
    title: milestone.title,
    description: milestone.description,
    state: milestone.is_closed ? 'closed' : 'open',
    open_issues: milestone.open_issues,
    closed_issues: milestone.closed_issues,
    created_at: time(milestone.created_at),
    updated_at: time(milestone.updated_at),
    closed_at: time(milestone.closed_at),
    due_on: time(milestone.due_at),
  }
}
