/** Notification threads: one for each issue, and one for each repository. */
import { carry } from '../carry/carry.ts'
import { id, number, timesOf } from '../source/fields.ts'

const STATES = ['unread', 'unread', 'read', 'pinned'] as const

/** Of several about commits and transfers of one repository the last is kept. */
const notifications = carry({
  name: 'notification → notification',
  from: `select n.* from notification as n where n.issue_id > 0 or n.id = (
    select max(later.id) from notification as later
    where later.user_id = n.user_id and later.repo_id = n.repo_id and later.issue_id = 0)`,
  into: 'notification',
  rows: (row) => ({
    id: number(row.id),
    user_id: number(row.user_id),
    repository_id: number(row.repo_id),
    issue_id: id(row.issue_id),
    status: STATES[number(row.status)] ?? 'read',
    ...timesOf(row),
  }),
})

export const notificationSteps = [notifications]
