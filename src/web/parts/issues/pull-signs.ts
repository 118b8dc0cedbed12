/** Additional columns of pull requests in lists: reviews, checks, size, and whether it is the viewer's turn. */
import type { PullSigns as Signs } from '#domains/review/merges'
import type { ReviewState } from '#domains/review/reviews'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { Issue } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { pullWords as words } from '../../words/pulls.ts'
import { changes, pill, stateMark, type Tone } from '../basics.ts'
import { checkIcon } from '../runs/checks.ts'

/** By issue id. */
export type PullSigns = ReadonlyMap<number, Signs>

export async function loadPullSigns({ ask }: PageVisit, issues: readonly Issue[]): Promise<PullSigns> {
  if (issues.length === 0) return new Map()
  return ask('pullListSigns', {}, { issue_ids: issues.map(({ id }) => id) })
}

const REVIEW_STATES: Readonly<Record<ReviewState, readonly [string, Tone]>> = {
  approved: ['user-check', 'good'],
  changes: ['user-x', 'bad'],
  waiting: ['clock', 'warn'],
}

/** Each sign has a fixed column, so that a list can be scanned. */
export function pullSigns(signs: PullSigns): (issue: Issue) => Html {
  return ({ id, number, repository }) => {
    const it = signs.get(id)
    if (it === undefined) return nothing
    const { reviewState, ownTurn, checks, size } = it
    const checked =
      checks !== undefined && html`<a href="${links.merging(repository, number)}">${checkIcon(checks)}</a>`
    return html`<div class="pull-signs">${ownTurn && pill(words.yourTurn, 'warn')}<span>${size && changes(size.additions, size.deletions)}</span><span>${reviewState && reviewStateIcon(reviewState)}</span><span>${checked}</span></div>`
  }
}

function reviewStateIcon(reviewState: ReviewState): Html {
  const [name, tone] = REVIEW_STATES[reviewState]
  return stateMark(name, tone, words.reviewStates[reviewState])
}
