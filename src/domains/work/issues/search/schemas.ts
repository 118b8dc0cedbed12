/** Query schema of the issue search. */
import { type Static, Type } from 'typebox'
import { pageFields } from '#platform/rest'
import { Names } from '../records/schemas.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const text = (description: string) => Type.Optional(Type.String({ description }))

export type SearchQuery = Static<typeof SearchQuery>
export const SearchQuery = Type.Object({
  ...pageFields,
  state: text('open (default), closed or all'),
  type: text('issues or pulls; both by default'),
  labels: Type.Optional({ ...Names, description: 'comma-separated label names; issues with any of them' }),
  milestones: Type.Optional({
    ...Names,
    description: 'comma-separated milestone names; issues in any of them',
  }),
  q: Type.Optional({ ...Names, description: 'search string' }),
  since: text('only issues updated after this time (RFC 3339)'),
  before: text('only issues updated before this time (RFC 3339)'),
  assigned: flag('only issues assigned to the authenticated user'),
  created: flag('only issues created by the authenticated user'),
  mentioned: flag('only issues that mention the authenticated user'),
  review_requested: flag('only pull requests that the authenticated user is asked to review'),
  reviewed: flag('only what the authenticated user has reviewed or commented on'),
  owner: text('only issues in repositories of this user or organization'),
  created_by: text('only issues created by this user'),
  team: text('only issues in repositories of this team; owner is required'),
})
