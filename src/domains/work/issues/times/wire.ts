/** The wire format of tracked times and stopwatches. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import { Issue } from '../records/wire.ts'
import type { StopwatchRow, TrackedTimeRow } from '../tables.ts'
import { durationInWords } from './duration.ts'

export type TrackedTime = Static<typeof TrackedTime>
export const TrackedTime = Type.Object(
  {
    id: Type.Integer(),
    created: Time,
    time: Type.Integer({ description: 'time in seconds' }),
    user_id: Type.Integer({ deprecated: true }),
    user_name: Type.String(),
    issue_id: Type.Integer({ deprecated: true }),
    issue: Type.Union([Issue, Type.Null()], { description: 'null if the caller may no longer read it' }),
  },
  { title: 'TrackedTime' },
)

export type StopWatch = Static<typeof StopWatch>
export const StopWatch = Type.Object(
  {
    created: Time,
    seconds: Type.Integer({ description: 'for how long it has been running' }),
    duration: Type.String({ description: 'the same in words' }),
    issue_index: Type.Integer(),
    issue_title: Type.String(),
    repo_owner_name: Type.String(),
    repo_name: Type.String(),
  },
  { title: 'StopWatch' },
)

export function presentTime(row: TrackedTimeRow, login: string, issue: Issue | null): TrackedTime {
  return {
    id: row.id,
    created: time(row.created_at),
    time: row.seconds,
    user_id: row.user_id,
    user_name: login,
    issue_id: row.issue_id,
    issue,
  }
}

export function presentStopwatch({ created_at }: StopwatchRow, seconds: number, issue: Issue): StopWatch {
  return {
    created: time(created_at),
    seconds,
    duration: durationInWords(seconds),
    issue_index: issue.number,
    issue_title: issue.title,
    repo_owner_name: issue.repository.owner,
    repo_name: issue.repository.name,
  }
}
