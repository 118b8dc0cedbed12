/** The forms in the sidebar of an issue or pull request. */
import type { Form, FormVisit } from '#platform/page'
import { invalid } from '#platform/problem'
import { issuePageWords as words } from '../../words/issues.ts'
import { readDuration } from '../../words/time.ts'
import type { IssuePath } from '../conversation/conversation.ts'

type Visit = FormVisit<IssuePath>

export const factForms: Record<string, Form<IssuePath>> = {
  labels: {
    does: ['issueReplaceLabels'],
    handle: ({ ask, params, fields, path }) =>
      ask('issueReplaceLabels', params, { labels: fields.numbers('label') }).then(() => path),
  },
  assignees: {
    does: ['issueEditIssue'],
    handle: ({ ask, params, fields, path }) =>
      ask('issueEditIssue', params, { assignees: fields.all('assignee') }).then(() => path),
  },
  milestone: {
    does: ['issueEditIssue'],
    handle: ({ ask, params, fields, path }) =>
      ask('issueEditIssue', params, { milestone: fields.number('milestone') ?? 0 }).then(() => path),
  },
  projects: {
    does: ['issueEditIssue'],
    handle: ({ ask, params, fields, path }) =>
      ask('issueEditIssue', params, { projects: fields.numbers('project') }).then(() => path),
  },
  'due-date': { does: ['issueEditIssue'], handle: setDueDate },
  depend: {
    does: ['issueCreateIssueDependencies'],
    handle: (visit) => link(visit, 'issueCreateIssueDependencies'),
  },
  undepend: {
    does: ['issueRemoveIssueDependencies'],
    handle: (visit) => link(visit, 'issueRemoveIssueDependencies'),
  },
  unblock: { does: ['issueRemoveIssueBlocking'], handle: (visit) => link(visit, 'issueRemoveIssueBlocking') },
  subscribe: { does: ['issueAddSubscription'], handle: (visit) => subscribe(visit, 'issueAddSubscription') },
  unsubscribe: {
    does: ['issueDeleteSubscription'],
    handle: (visit) => subscribe(visit, 'issueDeleteSubscription'),
  },
  'start-watch': { does: ['issueStartStopWatch'], handle: (visit) => watch(visit, 'issueStartStopWatch') },
  'stop-watch': { does: ['issueStopStopWatch'], handle: (visit) => watch(visit, 'issueStopStopWatch') },
  'cancel-watch': { does: ['issueDeleteStopWatch'], handle: (visit) => watch(visit, 'issueDeleteStopWatch') },
  'add-time': { does: ['issueAddTime'], handle: addTime },
  lock: { does: ['issueLockIssue'], handle: (visit) => manage(visit, 'issueLockIssue') },
  unlock: { does: ['issueUnlockIssue'], handle: (visit) => manage(visit, 'issueUnlockIssue') },
  pin: { does: ['pinIssue'], handle: (visit) => manage(visit, 'pinIssue') },
  unpin: { does: ['unpinIssue'], handle: (visit) => manage(visit, 'unpinIssue') },
}

type Managing = 'issueLockIssue' | 'issueUnlockIssue' | 'pinIssue' | 'unpinIssue'

async function manage({ ask, params, path }: Visit, operation: Managing): Promise<string> {
  await ask(operation, params)
  return path
}

async function setDueDate({ ask, params, fields, path }: Visit): Promise<string> {
  const day = fields.maybe('due_date')
  if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day)) throw invalid('due_date: must be a day')
  await ask(
    'issueEditIssue',
    params,
    day === undefined ? { unset_due_date: true } : { due_date: `${day}T00:00:00Z` },
  )
  return path
}

type Link = 'issueCreateIssueDependencies' | 'issueRemoveIssueDependencies' | 'issueRemoveIssueBlocking'

async function link({ ask, params, fields, path }: Visit, operation: Link): Promise<string> {
  const found = /^(?:([^/\s]+)\/([^/\s#]+))?#?(\d{1,15})$/.exec(fields.required('other').trim())
  if (found === null) throw invalid(words.dependencyInvalid)
  const [, owner = params.owner, repo = params.repo, index] = found
  await ask(operation, params, { owner, repo, index: Number(index) })
  return path
}

async function subscribe(
  { ctx, ask, params, path }: Visit,
  operation: 'issueAddSubscription' | 'issueDeleteSubscription',
): Promise<string> {
  await ask(operation, { ...params, user: ctx.actor?.login ?? '' })
  return path
}

async function watch(
  { ask, params, path }: Visit,
  operation: 'issueStartStopWatch' | 'issueStopStopWatch' | 'issueDeleteStopWatch',
): Promise<string> {
  await ask(operation, params)
  return path
}

async function addTime({ ask, params, fields, path }: Visit): Promise<string> {
  const time = readDuration(fields.required('time'))
  if (time === undefined) throw invalid(words.timeInvalid)
  await ask('issueAddTime', params, { time })
  return path
}
