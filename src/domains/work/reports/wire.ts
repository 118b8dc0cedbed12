/** The REST record of an abuse report. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import type { Report } from './reports.ts'

export const Category = Type.Union([
  Type.Literal('spam'),
  Type.Literal('malware'),
  Type.Literal('harassment'),
  Type.Literal('illegal'),
  Type.Literal('other'),
])
export const Outcome = Type.Union([Type.Literal('dismissed'), Type.Literal('acted')])

export const AbuseReport = Type.Object(
  {
    id: Type.Integer(),
    reporter: Type.String({ description: 'login of the user who reported it' }),
    path: Type.String({ description: 'path of the page of what was reported' }),
    account: Type.Union([Type.String(), Type.Null()], { description: 'login of the account that made it' }),
    repository: Type.Union([Type.String(), Type.Null()], { description: 'owner and name' }),
    category: Category,
    body: Type.String(),
    created_at: Time,
    outcome: Type.Union([Outcome, Type.Null()], { description: 'null while the report is open' }),
  },
  { title: 'AbuseReport' },
)

export function presentReport(report: Report): Static<typeof AbuseReport> {
  const { id, reporter, path, account, repository, category, body, created_at, outcome } = report
  return { id, reporter, path, account, repository, category, body, created_at: time(created_at), outcome }
}
