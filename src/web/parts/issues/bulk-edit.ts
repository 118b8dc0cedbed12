/** Lists of issues and pull requests whose rows can be selected and changed together. */
import { type Form, type FormVisit, type Html, html, type PageVisit, type Piece } from '#platform/page'
import { invalid } from '#platform/problem'
import type { Issue, Label, Milestone, User } from '../../gen/contract.ts'
import { type RepositoryPath, sameWith } from '../../links.ts'
import { bulkWords as words } from '../../words/issues.ts'
import { button, form, select } from '../forms.ts'
import { issueRows, type RowFacts } from './issue-list.ts'

/** More than a page has. */
const CHANGED_MAX = 50

/** Files in `assets/islands` of a page with such a list. */
export const BULK_ISLANDS = ['select-all.ts'] as const

interface BulkFacts extends RowFacts {
  readonly issues: readonly Issue[]
  readonly labels: readonly Label[]
  readonly milestones: readonly Milestone[]
  readonly people: readonly User[]
  readonly mayWrite: boolean
  /** States, filters and order of the list. */
  readonly head: Piece
  /** Shown when the list is empty. */
  readonly nothing: Piece
}

/** The fields appear as soon as an issue is selected, at the lower edge, so that no row moves. */
export function bulkList(visit: PageVisit, facts: BulkFacts): Html {
  const { issues, mayWrite, head, nothing } = facts
  const isSelectable = mayWrite && issues.length > 0
  const all =
    isSelectable &&
    html`<input type="checkbox" class="with-scripts" data-select-all aria-label="${words.selectAll}" title="${words.selectAll}">`
  const rows = issues.length === 0 ? nothing : issueRows(visit, issues, { ...facts, isSelectable })
  const list = html`<div class="box"><div class="box-head list-head">${all}${head}</div>${rows}</div>`
  return isSelectable ? form(visit, 'bulk', html`${list}${bulkFields(facts)}`, { class: 'bulk-list' }) : list
}

/** An empty value leaves the issue as it is. */
function bulkFields({ labels, milestones, people }: BulkFacts): Html {
  const named = labels.map(({ id, name }) => [`${id}`, name] as const)
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) =>
    select({ name, label, options: [['', words.unchanged], ...options] })
  return html`<div class="bulk-bar" role="group" aria-label="${words.title}"><output class="with-scripts" data-selected="${words.selected}"></output>
${choice('add_label', words.addLabel, named)}${choice('remove_label', words.removeLabel, named)}${choice(
  'milestone',
  words.milestone,
  [['0', words.noMilestone], ...milestones.map(({ id, title }) => [`${id}`, title] as const)],
)}${choice(
  'assignee',
  words.assign,
  people.map(({ login }) => [login, login]),
)}<div class="actions">${button(words.apply, { tone: 'primary' })}${button(words.close, { name: 'state', value: 'closed' })}${button(words.reopen, { name: 'state', value: 'open' })}</div></div>`
}

/** Sequentially, each issue as if edited alone; if one is refused, earlier changes stay. */
async function changeAll(visit: FormVisit<RepositoryPath>): Promise<string> {
  const { ask, fields, params } = visit
  const numbers = fields.numbers('issue').slice(0, CHANGED_MAX)
  if (numbers.length === 0) throw invalid(words.nothingSelected)
  const state = fields.maybe('state')
  const milestone = fields.number('milestone')
  const assignee = fields.maybe('assignee')
  const [added, removed] = [fields.number('add_label'), fields.number('remove_label')]
  for (const index of numbers) {
    const at = { ...params, index }
    if (state !== undefined || milestone !== undefined)
      await ask('issueEditIssue', at, {
        ...(state !== undefined && { state }),
        ...(milestone !== undefined && { milestone }),
      })
    if (assignee !== undefined) await ask('issueAddAssignees', at, { assignees: [assignee] })
    if (added !== undefined) await ask('issueAddLabel', at, { labels: [added] })
    if (removed !== undefined) await ask('issueRemoveLabel', { ...at, id: removed })
  }
  return sameWith(visit, {})
}

export const bulkForm: Form<RepositoryPath> = {
  does: ['issueEditIssue', 'issueAddAssignees', 'issueAddLabel', 'issueRemoveLabel'],
  handle: changeAll,
}
