/** The form that opens a pull request, above the comparison of its branches. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { draftsOf } from '../../drafts.ts'
import type { Commit, Compare, Label, Milestone, User } from '../../gen/contract.ts'
import type { RepositoryPath } from '../../links.ts'
import { contributeWords as words } from '../../words/contribute.ts'
import { issuePageWords } from '../../words/issues.ts'
import { avatar, label } from '../basics.ts'
import { detailsOf, subjectOf } from '../code/commit-list.ts'
import { composer } from '../conversation/composer.ts'
import { button, check, field, form, written } from '../forms.ts'
import { loadLabels } from '../issues/load-facts.ts'
import { choices, foldedFact, sidebar } from '../issues/sidebar.ts'
import type { RepositoryView } from '../repository.ts'
import { TITLE_MAX } from './create-pull.ts'

export interface NewPullView {
  /** Place of the draft. */
  readonly draft: string
  readonly title: string
  readonly body: string
  readonly reviewers: readonly User[]
  /** What only those who may write to pull requests set. */
  readonly settable: Settable | undefined
}

interface Settable {
  readonly labels: readonly Label[]
  readonly people: readonly User[]
  readonly milestones: readonly Milestone[]
}

interface Proposed {
  readonly head: string
  readonly compare: Compare
}

/** Locations of pull request templates; the first that exists is used. */
const TEMPLATES = [
  '.gitea/pull_request_template.md',
  '.gitea/PULL_REQUEST_TEMPLATE.md',
  '.github/pull_request_template.md',
  '.github/PULL_REQUEST_TEMPLATE.md',
  'PULL_REQUEST_TEMPLATE.md',
]
const SUBJECTS_MAX = 50
const PEOPLE_MAX = 100
const MILESTONES_MAX = 50
const PLACE_MAX = 280

/** Undefined if there is nothing to propose, or the viewer may not open a pull request. */
export async function loadNewPull(
  visit: PageVisit<RepositoryPath>,
  view: RepositoryView,
  { head, compare }: Proposed,
): Promise<NewPullView | undefined> {
  const { repo, may } = view
  if (!may.pulls.join || compare.commits.length === 0) return undefined
  const { owner, repo: name } = visit.params
  const draft = `pull:${repo.id}:${head}`.slice(0, PLACE_MAX)
  const [begun, template, reviewers, settable] = await Promise.all([
    draftsOf(visit, draft, `${draft}#title`),
    findTemplate(visit, repo.default_branch),
    visit.maybe('repoGetReviewers', { owner, repo: name }),
    may.pulls.write ? loadSettable(visit, view) : undefined,
  ])
  const { query } = visit
  return {
    draft,
    title: begun[`${draft}#title`] || query.get('title') || titleOf(head, compare),
    body: begun[draft] || query.get('body') || template || textOf(compare),
    // Authors cannot review their own pull requests.
    reviewers: (reviewers ?? []).filter(({ id }) => id !== visit.ctx.actor?.id).slice(0, PEOPLE_MAX),
    settable,
  }
}

async function findTemplate(visit: PageVisit<RepositoryPath>, ref: string): Promise<string> {
  const { owner, repo } = visit.params
  const files = await Promise.all(
    TEMPLATES.map((filepath) => visit.maybe('repoGetContents', { owner, repo, filepath, ref })),
  )
  const found = files.find((it) => it !== undefined && 'content' in it)
  const content = found !== undefined && 'content' in found ? (found.content ?? '') : ''
  return Buffer.from(content, 'base64').toString('utf8')
}

async function loadSettable(
  visit: PageVisit<RepositoryPath>,
  { repo: record }: RepositoryView,
): Promise<Settable> {
  const { owner, repo } = visit.params
  const [labels, people, milestones] = await Promise.all([
    loadLabels(visit, record),
    visit.ask('repoGetAssignees', { owner, repo }),
    visit.ask('issueGetMilestonesList', { owner, repo, state: 'open', limit: MILESTONES_MAX }),
  ])
  return { labels, people: people.slice(0, PEOPLE_MAX), milestones }
}

/** The subject of a single commit, or else the branch in words: `heat-ore` becomes `Heat ore`. */
function titleOf(head: string, { commits, total_commits: total }: Compare): string {
  const [only] = commits
  if (total === 1 && only !== undefined) return subjectOf(only).slice(0, TITLE_MAX)
  const name = head
    .slice(head.indexOf(':') + 1)
    .replaceAll(/[-_]+/g, ' ')
    .trim()
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`.slice(0, TITLE_MAX)
}

/** The rest of a single commit's message, or else the subjects, oldest first. */
function textOf({ commits, total_commits: total }: Compare): string {
  const [only] = commits
  if (total === 1 && only !== undefined) return detailsOf(only)
  const line = (it: Commit) => `- ${subjectOf(it)}`
  return commits.toReversed().slice(0, SUBJECTS_MAX).map(line).join('\n')
}

export function newPull(visit: PageVisit, { repo }: RepositoryView, it: NewPullView): Html {
  const { draft } = it
  const content = html`<div class="columns"><div>${field({ name: 'title', label: words.title, value: written(visit, 'create', 'title', it.title), isRequired: true })}
${composer(visit, { label: words.text, draft, value: written(visit, 'create', 'body', it.body), place: repo.full_name, rows: 10, takesFiles: true })}
${check({ name: 'edits', label: words.edits, isChecked: repo.default_allow_maintainer_edit })}
<div class="actions end">${button(words.createDraft, { name: 'draft', value: 'true' })}${button(words.create, { tone: 'primary' })}</div></div>${beside(visit, it)}</div>`
  return html`<section class="new-pull" aria-label="${words.open}">${form(visit, 'create', content, { draft, hasFiles: true })}</section>`
}

function beside(visit: PageVisit, { reviewers, settable }: NewPullView): Html {
  const sent = visit.failed?.form === 'create' ? visit.failed.fields : undefined
  const people = (name: 'reviewer' | 'assignee', list: readonly User[]) => {
    const chosen = new Set(sent?.all(name))
    const shown = list.map((it) => ({
      value: it.login,
      text: html`${avatar(it)} ${it.login}`,
      isChosen: chosen.has(it.login),
    }))
    return { isOpen: chosen.size > 0, content: choices(name, shown) }
  }
  const facts = [
    reviewers.length > 0 && foldedFact({ title: words.reviewers, ...people('reviewer', reviewers) }),
    settable && foldedFact({ title: issuePageWords.assignees, ...people('assignee', settable.people) }),
    settable && labelsFact(settable.labels, new Set(sent?.all('label'))),
    settable && milestoneFact(settable.milestones, sent?.text('milestone') ?? '0'),
  ]
  return facts.some(Boolean) ? sidebar(facts, issuePageWords.beside) : nothing
}

function labelsFact(labels: readonly Label[], chosen: ReadonlySet<string>): Html {
  const shown = labels.map((it) => ({ value: it.id, text: label(it), isChosen: chosen.has(`${it.id}`) }))
  return foldedFact({
    title: issuePageWords.labels,
    isOpen: chosen.size > 0,
    content: choices('label', shown),
  })
}

function milestoneFact(milestones: readonly Milestone[], chosen: string): Html {
  const none = { value: 0, text: issuePageWords.noMilestone, isChosen: chosen === '0' }
  const all = milestones.map(({ id, title }) => ({ value: id, text: title, isChosen: `${id}` === chosen }))
  return foldedFact({
    title: issuePageWords.milestone,
    isOpen: chosen !== '0',
    content: choices('milestone', [none, ...all], 'radio'),
  })
}
