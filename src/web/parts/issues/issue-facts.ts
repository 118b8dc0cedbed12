/** Sidebar of an issue or pull request: people, planning, links and the viewer's notifications. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { links, local } from '../../links.ts'
import { issuePageWords as words } from '../../words/issues.ts'
import { dayOf, duration } from '../../words/time.ts'
import { avatar, icon, label, person } from '../basics.ts'
import { field, form, formButton } from '../forms.ts'
import { dependencyFact, linkedFact } from './linked-facts.ts'
import type { FactsView } from './load-facts.ts'
import { choices, fact, maybeFact, type SidebarPart, sidebar } from './sidebar.ts'

/** Parts of one kind: reviewers of a pull request, the button that deletes an issue. */
interface OwnFacts {
  readonly first?: SidebarPart
  readonly last?: Html
}

/** The same parts in the same order for both kinds. */
export function issueFacts(visit: PageVisit, view: FactsView, { first, last }: OwnFacts): Html {
  return sidebar(
    [
      first,
      assigneesFact(visit, view),
      labelsFact(visit, view),
      milestoneFact(visit, view),
      projectsFact(visit, view),
      dueFact(visit, view),
      linkedFact(visit, view),
      dependencyFact(visit, view),
      timeFact(visit, view),
      subscriptionFact(visit, view),
      manageFact(visit, view),
      last,
    ],
    view.issue.pull_request === null ? words.beside : words.besidePull,
  )
}

function labelsFact(visit: PageVisit, { issue, labels, mayWrite }: FactsView): SidebarPart {
  const chosen = new Set(issue.labels.map(({ id }) => id))
  const list = [...labels.filter(({ is_archived, id }) => !is_archived || chosen.has(id))]
  const content = choices(
    'label',
    list.map((it) => ({ value: it.id, text: label(it), isChosen: chosen.has(it.id) })),
  )
  const now = issue.labels.length === 0 ? undefined : issue.labels.map(label)
  return maybeFact(visit, {
    title: words.labels,
    now,
    key: 'l',
    change: mayWrite ? { form: 'labels', content } : undefined,
  })
}

function assigneesFact(visit: PageVisit, { issue, people, mayWrite }: FactsView): SidebarPart {
  const chosen = new Set(issue.assignees.map(({ login }) => login))
  const content = choices(
    'assignee',
    people.map((it) => ({
      value: it.login,
      text: html`${avatar(it)} ${it.login}`,
      isChosen: chosen.has(it.login),
    })),
  )
  const now = issue.assignees.length === 0 ? undefined : issue.assignees.map((it) => person(it))
  return maybeFact(visit, {
    title: words.assignees,
    now,
    key: 'a',
    change: mayWrite ? { form: 'assignees', content } : undefined,
  })
}

function milestoneFact(visit: PageVisit, { issue, repo, milestones, mayWrite }: FactsView): SidebarPart {
  const current = issue.milestone
  const all =
    current === null || milestones.some(({ id }) => id === current.id) ? milestones : [current, ...milestones]
  const list = [
    { value: 0, text: words.noMilestone, isChosen: current === null },
    ...all.map(({ id, title }) => ({ value: id, text: title, isChosen: id === current?.id })),
  ]
  const now =
    current === null
      ? undefined
      : html`<a href="${links.milestone(repo, current.id)}">${icon('milestone')} ${current.title}</a>`
  return maybeFact(visit, {
    title: words.milestone,
    now,
    key: 'm',
    change: mayWrite ? { form: 'milestone', content: choices('milestone', list, 'radio') } : undefined,
  })
}

function projectsFact(visit: PageVisit, { issue, projects, mayWrite }: FactsView): SidebarPart {
  if (issue.projects.length === 0 && projects.length === 0) return nothing
  const chosen = new Set(issue.projects.map(({ id }) => id))
  const all = [...issue.projects, ...projects.filter(({ id }) => !chosen.has(id))]
  const content = choices(
    'project',
    // Nearly every issue is on one board.
    all.map(({ id, title }) => ({ value: id, text: title, isChosen: chosen.has(id), sends: true })),
  )
  const now =
    issue.projects.length === 0
      ? undefined
      : issue.projects.map(
          (it) => html`<a href="${local(it.html_url)}">${icon('square-kanban')} ${it.title}</a>`,
        )
  return maybeFact(visit, {
    title: words.projects,
    now,
    change: mayWrite ? { form: 'projects', content } : undefined,
  })
}

function dueFact(visit: PageVisit, { issue, mayWrite }: FactsView): SidebarPart {
  const day = issue.due_date?.slice(0, 10) ?? ''
  const isOver =
    issue.state === 'open' && issue.due_date !== null && new Date(issue.due_date) < visit.ctx.now()
  const content = field({ name: 'due_date', label: words.dueDate, type: 'date', value: day })
  const now =
    day === ''
      ? undefined
      : html`${icon('calendar')} ${dayOf(day)}${isOver && html` <strong class="bad-text">${words.overdue}</strong>`}`
  return maybeFact(visit, {
    title: words.dueDate,
    now,
    change: mayWrite ? { form: 'due-date', content } : undefined,
  })
}

function timeFact(visit: PageVisit, { repo, times, watch, mayTrack }: FactsView): Html {
  if (!(repo.internal_tracker?.enable_time_tracker ?? false)) return nothing
  if (!mayTrack && times.length === 0 && watch === undefined) return nothing
  const total = times.reduce((sum, { time }) => sum + time, 0)
  const buttons =
    watch === undefined
      ? formButton(visit, 'start-watch', html`${icon('play')}${words.start}`)
      : html`${formButton(visit, 'stop-watch', words.stop)} ${formButton(visit, 'cancel-watch', words.cancel, {}, { tone: 'quiet' })}`
  const now = html`${total > 0 && html`<span>${words.spent(duration(total))}</span>`}${
    (mayTrack || watch !== undefined) && html`<div class="actions">${buttons}</div>`
  }`
  const content = field({ name: 'time', label: words.timeField, maxLength: 30 })
  return fact(visit, { title: words.time, now, change: mayTrack ? { form: 'add-time', content } : undefined })
}

function subscriptionFact(visit: PageVisit, { isSubscribed }: FactsView): Html {
  if (isSubscribed === undefined) return nothing
  const [verb, text, told] = isSubscribed
    ? (['unsubscribe', words.unsubscribe, words.subscribed] as const)
    : (['subscribe', words.subscribe, words.unsubscribed] as const)
  const now = html`${form(visit, verb, html`<button class="button">${icon(isSubscribed ? 'eye-off' : 'bell')}${text}</button>`)}<p class="small quiet-text">${told}</p>`
  return fact(visit, { title: words.subscription, now })
}

/** Actions of repository administrators. */
function manageFact(visit: PageVisit, { issue, mayManage }: FactsView): Html {
  if (!mayManage) return nothing
  const lock = issue.is_locked
    ? formButton(visit, 'unlock', html`${icon('lock-open')}${words.unlock}`)
    : formButton(visit, 'lock', html`${icon('lock')}${words.lock}`)
  const pin =
    issue.pin_order > 0
      ? formButton(visit, 'unpin', html`${icon('pin')}${words.unpin}`)
      : formButton(visit, 'pin', html`${icon('pin')}${words.pin}`)
  return fact(visit, { title: words.manage, now: html`<div class="stack-small">${lock}${pin}</div>` })
}
