/** Sidebar of a pull request: that of an issue, with reviewers and base branch. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { PullReview, User } from '../../gen/contract.ts'
import { avatar, icon, person } from '../../parts/basics.ts'
import { field, formButton } from '../../parts/forms.ts'
import { issueFacts } from '../../parts/issues/issue-facts.ts'
import type { FactsView as IssueFactsView } from '../../parts/issues/load-facts.ts'
import { choices, fact, maybeFact, type SidebarPart } from '../../parts/issues/sidebar.ts'
import { conversationPageWords as words } from '../../words/pulls.ts'
import { indexOf, type PullPath, type PullView } from './load.ts'

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
  readonly facts: IssueFactsView
  readonly reviewers: readonly User[] | null
  readonly reviews: readonly PullReview[]
}

export function pullFacts(visit: PageVisit, it: FactsView): Html {
  return issueFacts(visit, it.facts, { first: reviewersFact(visit, it), last: baseFact(visit, it) })
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

function reviewersFact(visit: PageVisit, { reviewers, reviews }: FactsView): SidebarPart {
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
  const none = reviewers === null ? words.noReviewers : undefined
  const now =
    given.length + waiting.length === 0
      ? none
      : html`<ul class="plain">${given}${waiting.map(({ user, team }) => html`<li>${user === null ? html`<strong>${team?.name}</strong>` : person(user)} <span class="state warn">${icon('clock', words.askReview)}</span></li>`)}</ul>`
  const content = choices(
    'reviewer',
    (reviewers ?? []).map((it) => ({
      value: it.login,
      text: html`${avatar(it)} ${it.login}`,
      isChosen: asked.has(it.login),
    })),
  )
  return maybeFact(visit, {
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
