/** Sidebar of a pull request: reviewers, labels, assignees, milestone and base branch. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { Label, Milestone, PullReview, User } from '../../gen/contract.ts'
import { avatar, icon, label, person } from '../../parts/basics.ts'
import { field, formButton } from '../../parts/forms.ts'
import { choices, fact, sidebar } from '../../parts/issues/sidebar.ts'
import { conversationPageWords as words } from '../../words/en/pulls.ts'
import { indexOf, type PullPath, type PullView } from './load.ts'

/** Choices, loaded only for viewers who may change them. */
export interface Choosable {
  readonly labels: readonly Label[]
  readonly people: readonly User[]
  readonly milestones: readonly Milestone[]
}

const LISTED_MAX = 50

export async function loadChoosable(
  { ask, list, params }: PageVisit<PullPath>,
  { rights }: PullView,
): Promise<Choosable | null> {
  if (!rights.mayWrite) return null
  const { owner, repo } = indexOf(params)
  const [labels, people, milestones] = await Promise.all([
    list('issueListLabels', { owner, repo, limit: LISTED_MAX }),
    ask('repoGetAssignees', { owner, repo }),
    list('issueGetMilestonesList', { owner, repo, state: 'open', limit: LISTED_MAX }),
  ])
  return {
    labels: labels.items,
    people: people.slice(0, 100),
    milestones: milestones.items,
  }
}

/** Possible reviewers, for viewers who may request reviews. */
export async function loadReviewers(
  { ask, params }: PageVisit<PullPath>,
  { pull }: PullView,
): Promise<readonly User[] | null> {
  const { owner, repo, index } = indexOf(params)
  if (!(await ask('pullMayRequestReviews', { owner, repo, index }))) return null
  const reviewers = await ask('repoGetReviewers', { owner, repo })
  // Authors cannot review their own pull requests.
  return reviewers.filter(({ login }) => login !== pull.user.login).slice(0, 100)
}

interface FactsView extends PullView {
  readonly choosable: Choosable | null
  readonly reviewers: readonly User[] | null
  readonly reviews: readonly PullReview[]
}

export function pullFacts(visit: PageVisit, it: FactsView): Html {
  return sidebar(
    [
      reviewersFact(visit, it),
      labelsFact(visit, it),
      assigneesFact(visit, it),
      milestoneFact(visit, it),
      baseFact(visit, it),
    ],
    words.facts,
  )
}

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  APPROVED: ['circle-check', 'good'],
  REQUEST_CHANGES: ['circle-x', 'bad'],
  COMMENT: ['message-square', 'plain'],
}

/** Open review requests. */
export function waitingOf(reviews: readonly PullReview[]): readonly PullReview[] {
  return reviews.filter(({ state, dismissed }) => state === 'REQUEST_REVIEW' && !dismissed)
}

function reviewersFact(visit: PageVisit, { reviewers, reviews }: FactsView): Html {
  const waiting = waitingOf(reviews)
  const asked = new Set(waiting.flatMap(({ user }) => user?.login ?? []))
  const latest = new Map(
    reviews
      .filter((it) => it.user !== null && SIGNS[it.state] !== undefined && !it.dismissed)
      .map((it) => [it.user?.login ?? '', it] as const),
  )
  const given = [...latest.values()].map(({ user, state, official }) => {
    const [iconName, tone] = SIGNS[state] ?? ['circle', 'plain']
    const isIdle = !official && state !== 'COMMENT'
    const mark = html`<span class="state ${isIdle ? 'plain' : tone}">${icon(iconName, words[VERBS[state] ?? 'reviewed'])}</span>`
    return html`<li>${user && person(user)} ${mark}${isIdle && html` <span class="quiet-text" title="${words.unofficialHelp}">${words.unofficial}</span>`}</li>`
  })
  const now =
    given.length + waiting.length === 0
      ? words.noReviewers
      : html`<ul class="plain">${given}${waiting.map(({ user, team }) => html`<li>${user === null ? html`<strong>${team?.name}</strong>` : person(user)} <span class="state warn">${icon('clock', words.askReview)}</span></li>`)}</ul>`
  const content = choices(
    'reviewer',
    (reviewers ?? []).map((it) => ({
      value: it.login,
      text: html`${avatar(it)} ${it.login}`,
      isChosen: asked.has(it.login),
    })),
  )
  return fact(visit, {
    title: words.reviewers,
    now,
    change: reviewers === null ? undefined : { form: 'reviewers', content },
  })
}

const VERBS: Readonly<Record<string, 'approved' | 'rejected' | 'reviewed'>> = {
  APPROVED: 'approved',
  REQUEST_CHANGES: 'rejected',
  COMMENT: 'reviewed',
}

function labelsFact(visit: PageVisit, { pull, choosable }: FactsView): Html {
  const chosen = new Set(pull.labels.map(({ id }) => id))
  const content = choices(
    'label',
    (choosable?.labels ?? []).map((it) => ({ value: it.id, text: label(it), isChosen: chosen.has(it.id) })),
  )
  const now =
    pull.labels.length === 0 ? words.noLabels : html`${pull.labels.map((it) => html`${label(it)} `)}`
  return fact(visit, {
    title: words.labels,
    key: 'l',
    now,
    change: choosable === null ? undefined : { form: 'labels', content },
  })
}

function assigneesFact(visit: PageVisit, { pull, choosable }: FactsView): Html {
  const chosen = new Set(pull.assignees.map(({ login }) => login))
  const content = choices(
    'assignee',
    (choosable?.people ?? []).map((it) => ({
      value: it.login,
      text: html`${avatar(it)} ${it.login}`,
      isChosen: chosen.has(it.login),
    })),
  )
  const now =
    pull.assignees.length === 0
      ? words.noAssignees
      : html`${pull.assignees.map((it) => html`${person(it)} `)}`
  return fact(visit, {
    title: words.assignees,
    key: 'a',
    now,
    change: choosable === null ? undefined : { form: 'assignees', content },
  })
}

function milestoneFact(visit: PageVisit, { pull, choosable }: FactsView): Html {
  const { milestone } = pull
  const none = { value: 0, text: words.noMilestone, isChosen: milestone === null }
  const all = (choosable?.milestones ?? []).map(({ id, title }) => ({
    value: id,
    text: title,
    isChosen: id === milestone?.id,
  }))
  const content = choices('milestone', [none, ...all], 'radio')
  return fact(visit, {
    title: words.milestone,
    key: 'm',
    now: milestone === null ? words.noMilestone : milestone.title,
    change: choosable === null ? undefined : { form: 'milestone', content },
  })
}

function baseFact(visit: PageVisit, { pull, rights }: FactsView): Html {
  const isOpen = pull.state === 'open' && rights.mayEdit
  const content = field({ name: 'base', label: words.base, value: pull.base.ref, isRequired: true })
  const draft = isOpen
    ? formButton(
        visit,
        'draft',
        pull.draft ? words.ready : words.draft,
        {},
        pull.draft ? {} : { tone: 'quiet' },
      )
    : nothing
  return html`${fact(visit, { title: words.base, now: html`<code>${pull.base.ref}</code>`, change: isOpen ? { form: 'base', content } : undefined })}<div>${draft}</div>`
}
