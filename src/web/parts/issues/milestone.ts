/** Progress of a milestone, as text and bar. */
import { type Html, html, type Piece } from '#platform/page'
import type { Milestone } from '../../gen/contract.ts'
import { milestoneWords as words } from '../../words/issues.ts'
import { dayOf } from '../../words/time.ts'

export function progressBar({ open_issues, closed_issues }: Milestone): Html {
  const all = open_issues + closed_issues
  const text = words.progress(closed_issues, all)
  return html`<span class="progress"><progress max="${Math.max(all, 1)}" value="${closed_issues}" aria-label="${text}"></progress><span class="small quiet-text">${text}</span></span>`
}

export function dueText({ due_on, state }: Milestone, now: Date): Piece {
  if (due_on === null) return words.noDue
  const isOver = state === 'open' && new Date(due_on) < now
  return isOver
    ? html`<strong class="bad-text">${words.overdue(dayOf(due_on))}</strong>`
    : words.dueOn(dayOf(due_on))
}
