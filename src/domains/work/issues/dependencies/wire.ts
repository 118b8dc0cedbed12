/** The wire format of hidden issues. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { User } from '#domains/people/users'
import { Time } from '#platform/rest'
import type { Site } from '#platform/site'
import { presentAuthor } from '../records/people.ts'
import { Issue } from '../records/wire.ts'

const Nothing = Type.Null()

export type HiddenIssue = Static<typeof HiddenIssue>
export const HiddenIssue = Type.Object(
  {
    ...Issue.properties,
    user: Type.Union([User, Nothing]),
    state: Type.Union([Type.Literal('open'), Type.Literal('')]),
    created_at: Type.Union([Time, Nothing]),
    updated_at: Type.Union([Time, Nothing]),
    repository: Nothing,
  },
  { title: 'HiddenIssue' },
)

/** Compat: users who may write the blocked issue see a blank issue; others see the title HIDDEN. */
export function presentHidden(isBlank: boolean, site: Site, at: Date): HiddenIssue {
  return {
    id: 0,
    url: '',
    html_url: '',
    number: 0,
    user: isBlank ? null : presentAuthor(undefined, null, site, at),
    original_author: '',
    original_author_id: 0,
    title: isBlank ? '' : 'HIDDEN',
    body: '',
    ref: '',
    assets: [],
    projects: [],
    labels: [],
    milestone: null,
    assignee: null,
    assignees: [],
    state: isBlank ? '' : 'open',
    is_locked: false,
    comments: 0,
    created_at: null,
    updated_at: null,
    closed_at: null,
    due_date: null,
    time_estimate: 0,
    pull_request: null,
    repository: null,
    pin_order: 0,
    content_version: 0,
  }
}
