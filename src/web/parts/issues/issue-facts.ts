/** Sidebar of an issue or pull request: labels, assignees, milestone, due date, dependencies and more. */
import type { Abilities } from '#domains/people/access'
import type { IssueAbilities } from '#domains/work/issues'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type {
  HiddenIssue,
  Issue,
  Label,
  Milestone,
  Project,
  Repository,
  StopWatch,
  TrackedTime,
  User,
} from '../../gen/contract.ts'
import { links, local } from '../../links.ts'
import { issuePageWords as words } from '../../words/en/issues.ts'
import { dayOf, duration } from '../../words/en/time.ts'
import { icon, label, person } from '../basics.ts'
import type { IssuePath } from '../conversation/conversation.ts'
import { field, form, formButton } from '../forms.ts'
import type { RepositoryView } from '../repository.ts'
import { pageOf, stateIcon } from './issue-list.ts'
import { choices, fact } from './sidebar.ts'

export interface FactsView {
  readonly issue: Issue
  readonly repo: Repository
  readonly mayWrite: boolean
  readonly labels: readonly Label[]
  readonly people: readonly User[]
  readonly milestones: readonly Milestone[]
  readonly projects: readonly Project[]
  readonly dependencies: readonly (Issue | HiddenIssue)[]
  readonly blocks: readonly Issue[]
  readonly isSubscribed: boolean | undefined
  readonly times: readonly TrackedTime[]
  readonly watch: StopWatch | undefined
}

const CHOICES_MAX = 50

/** Choices are loaded only for viewers who may change them. */
export async function loadFacts(
  visit: PageVisit<IssuePath>,
  issue: Issue,
  { repo, may }: RepositoryView,
  { mayWrite }: IssueAbilities,
): Promise<FactsView> {
  const [chosen, joined] = await Promise.all([
    mayWrite ? loadChoices(visit, repo, may) : NOTHING,
    loadJoined(visit, issue, repo),
  ])
  return { issue, repo, mayWrite, ...chosen, ...joined }
}

const NOTHING = { labels: [], people: [], milestones: [], projects: [] }

async function loadChoices(visit: PageVisit<IssuePath>, repo: Repository, may: Abilities) {
  const { owner, repo: name } = visit.params
  const at = { owner, repo: name }
  const open = { ...at, state: 'open', limit: CHOICES_MAX }
  const [labels, people, milestones, projects] = await Promise.all([
    loadLabels(visit, repo),
    visit.ask('repoGetAssignees', at),
    visit.ask('issueGetMilestonesList', open),
    may.projects.read ? visit.maybe('repoListProjects', open) : [],
  ])
  return { labels, people, milestones, projects: projects ?? [] }
}

/** Dependencies, tracked times and the viewer's subscription. */
async function loadJoined(visit: PageVisit<IssuePath>, issue: Issue, repo: Repository) {
  const { owner, repo: name } = visit.params
  const one = { owner, repo: name, index: `${issue.number}` }
  const some = { ...one, limit: CHOICES_MAX }
  const { enable_time_tracker: isTracked, enable_issue_dependencies: depends } = repo.internal_tracker ?? {}
  const isSignedIn = visit.ctx.actor !== null
  const [dependencies, blocks, subscription, times, watches] = await Promise.all([
    depends ? visit.maybe('issueListIssueDependencies', some) : [],
    depends ? visit.maybe('issueListBlocks', some) : [],
    isSignedIn ? visit.maybe('issueCheckSubscription', one) : undefined,
    isTracked ? visit.maybe('issueTrackedTimes', some) : [],
    isTracked && isSignedIn ? visit.ask('userGetStopWatches', { limit: CHOICES_MAX }) : [],
  ])
  return {
    dependencies: dependencies ?? [],
    blocks: blocks ?? [],
    isSubscribed: isSignedIn ? (subscription?.subscribed ?? false) : undefined,
    times: times ?? [],
    watch: watches.find(
      (it) => it.issue_index === issue.number && it.repo_name === name && it.repo_owner_name === owner,
    ),
  }
}

/** Labels of the repository and of its organization. */
export async function loadLabels(
  visit: PageVisit<{ owner: string; repo: string }>,
  repo: Repository,
): Promise<Label[]> {
  const { owner, repo: name } = visit.params
  const [own, shared] = await Promise.all([
    visit.ask('issueListLabels', { owner, repo: name, limit: CHOICES_MAX }),
    repo.owner.type === 'Organization'
      ? visit.maybe('orgListLabels', { org: owner, limit: CHOICES_MAX })
      : [],
  ])
  return [...own, ...(shared ?? [])]
}

/** In order of importance. */
export function issueFacts(visit: PageVisit, view: FactsView): Html[] {
  return [
    labelsFact(visit, view),
    assigneesFact(visit, view),
    milestoneFact(visit, view),
    projectsFact(visit, view),
    dueFact(visit, view),
    dependencyFact(visit, view),
    timeFact(visit, view),
    subscriptionFact(visit, view),
  ]
}

function labelsFact(visit: PageVisit, { issue, labels, mayWrite }: FactsView): Html {
  const chosen = new Set(issue.labels.map(({ id }) => id))
  const list = [...labels.filter(({ is_archived, id }) => !is_archived || chosen.has(id))]
  const content = choices(
    'label',
    list.map((it) => ({ value: it.id, text: label(it), isChosen: chosen.has(it.id) })),
  )
  const now = issue.labels.length === 0 ? none() : issue.labels.map(label)
  return fact(visit, {
    title: words.labels,
    now,
    key: 'l',
    change: mayWrite ? { form: 'labels', content } : undefined,
  })
}

function assigneesFact(visit: PageVisit, { issue, people, mayWrite }: FactsView): Html {
  const chosen = new Set(issue.assignees.map(({ login }) => login))
  const content = choices(
    'assignee',
    people.map((it) => ({ value: it.login, text: it.login, isChosen: chosen.has(it.login) })),
  )
  const now = issue.assignees.length === 0 ? none() : issue.assignees.map((it) => person(it))
  return fact(visit, {
    title: words.assignees,
    now,
    key: 'a',
    change: mayWrite ? { form: 'assignees', content } : undefined,
  })
}

function milestoneFact(visit: PageVisit, { issue, repo, milestones, mayWrite }: FactsView): Html {
  const current = issue.milestone
  const all =
    current === null || milestones.some(({ id }) => id === current.id) ? milestones : [current, ...milestones]
  const list = [
    { value: 0, text: words.noMilestone, isChosen: current === null },
    ...all.map(({ id, title }) => ({ value: id, text: title, isChosen: id === current?.id })),
  ]
  const now =
    current === null
      ? none()
      : html`<a href="${links.milestone(repo, current.id)}">${icon('milestone')} ${current.title}</a>`
  return fact(visit, {
    title: words.milestone,
    now,
    key: 'm',
    change: mayWrite ? { form: 'milestone', content: choices('milestone', list, 'radio') } : undefined,
  })
}

function projectsFact(visit: PageVisit, { issue, projects, mayWrite }: FactsView): Html {
  if (issue.projects.length === 0 && projects.length === 0) return nothing
  const chosen = new Set(issue.projects.map(({ id }) => id))
  const all = [...issue.projects, ...projects.filter(({ id }) => !chosen.has(id))]
  const content = choices(
    'project',
    all.map(({ id, title }) => ({ value: id, text: title, isChosen: chosen.has(id) })),
  )
  const now =
    issue.projects.length === 0
      ? none()
      : issue.projects.map(
          (it) => html`<a href="${local(it.html_url)}">${icon('square-kanban')} ${it.title}</a>`,
        )
  return fact(visit, {
    title: words.projects,
    now,
    change: mayWrite ? { form: 'projects', content } : undefined,
  })
}

function dueFact(visit: PageVisit, { issue, mayWrite }: FactsView): Html {
  const day = issue.due_date?.slice(0, 10) ?? ''
  const isOver =
    issue.state === 'open' && issue.due_date !== null && new Date(issue.due_date) < visit.ctx.now()
  const content = field({ name: 'due_date', label: words.dueDate, type: 'date', value: day })
  const now =
    day === ''
      ? none()
      : html`${icon('calendar')} ${dayOf(day)}${isOver && html` <strong class="bad-text">${words.overdue}</strong>`}`
  return fact(visit, {
    title: words.dueDate,
    now,
    change: mayWrite ? { form: 'due-date', content } : undefined,
  })
}

function dependencyFact(visit: PageVisit, { issue, repo, dependencies, blocks, mayWrite }: FactsView): Html {
  if (repo.internal_tracker?.enable_issue_dependencies === false) return nothing
  if (!mayWrite && dependencies.length === 0 && blocks.length === 0) return nothing
  const line = (it: Issue, verb: 'undepend' | 'unblock') =>
    html`<span class="dependency">${stateIcon(it)} <a href="${pageOf(it)}">${it.repository.full_name === issue.repository.full_name ? '' : it.repository.full_name}#${it.number} ${it.title}</a>${
      mayWrite &&
      formButton(
        visit,
        verb,
        icon('x'),
        { other: `${it.repository.full_name}#${it.number}` },
        { tone: 'quiet', label: words.remove(it.title) },
      )
    }</span>`
  const seen = dependencies.filter((it): it is Issue => it.repository !== null)
  const now = html`${seen.length === 0 ? none() : seen.map((it) => line(it, 'undepend'))}${
    blocks.length > 0 &&
    html`<h3 class="small quiet-text">${words.blocks}</h3>${blocks.map((it) => line(it, 'unblock'))}`
  }`
  const content = field({ name: 'other', label: words.dependency, maxLength: 200 })
  return fact(visit, {
    title: words.dependsOn,
    now,
    change: mayWrite ? { form: 'depend', content } : undefined,
  })
}

function timeFact(visit: PageVisit, { repo, times, watch, mayWrite }: FactsView): Html {
  if (!(repo.internal_tracker?.enable_time_tracker ?? false)) return nothing
  if (visit.ctx.actor === null && times.length === 0) return nothing
  const total = times.reduce((sum, { time }) => sum + time, 0)
  const buttons =
    watch === undefined
      ? formButton(visit, 'start-watch', html`${icon('play')}${words.start}`)
      : html`${formButton(visit, 'stop-watch', words.stop)} ${formButton(visit, 'cancel-watch', words.cancel, {}, { tone: 'quiet' })}`
  const now = html`${total === 0 ? none() : html`<span>${words.spent(duration(total))}</span>`}${
    (mayWrite || watch !== undefined) && html`<div class="actions">${buttons}</div>`
  }`
  const content = field({ name: 'time', label: words.timeField, maxLength: 30 })
  return fact(visit, { title: words.time, now, change: mayWrite ? { form: 'add-time', content } : undefined })
}

function subscriptionFact(visit: PageVisit, { isSubscribed }: FactsView): Html {
  if (isSubscribed === undefined) return nothing
  const [verb, text, told] = isSubscribed
    ? (['unsubscribe', words.unsubscribe, words.subscribed] as const)
    : (['subscribe', words.subscribe, words.unsubscribed] as const)
  const now = html`${form(visit, verb, html`<button class="button">${icon(isSubscribed ? 'eye-off' : 'bell')}${text}</button>`)}<p class="small quiet-text">${told}</p>`
  return fact(visit, { title: words.subscription, now })
}

function none(): Html {
  return html`<span class="quiet-text">${words.none}</span>`
}
