/** Similar issues, shown while a new one is written: one line, with reserved room. */
import { type Html, html, nothing, region } from '#platform/page'
import { links } from '../../links.ts'
import { newIssueWords as words } from '../../words/issues.ts'
import { icon } from '../basics.ts'

/** Fits on one line. */
export const SIMILAR_MAX = 3

interface Similar {
  readonly number: number
  readonly title: string
  readonly is_closed: boolean
}

export function similarLine(repo: { readonly full_name: string }, found: readonly Similar[]): Html {
  const one = ({ number, title, is_closed }: Similar) =>
    html`<a href="${links.issue(repo, number)}" target="_blank">${is_closed ? icon('circle-check', words.closed) : icon('circle-dot', words.open)}<span>${words.similarOne(number, title)}</span></a>`
  const content = found.length === 0 ? nothing : html`<span>${words.similar}</span>${found.map(one)}`
  return html`<div class="similar" aria-live="polite">${region('similar', content)}</div>`
}
