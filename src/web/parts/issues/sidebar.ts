/** Sidebar of an issue or pull request: an entry without a value is one line, and each has a form that opens without JavaScript. */
import { type Html, html, nothing, type PageVisit, type Piece } from '#platform/page'
import { issuePageWords } from '../../words/issues.ts'
import { site as words } from '../../words/site.ts'
import { icon } from '../basics.ts'
import { button, form } from '../forms.ts'

interface Fact {
  readonly title: string
  /** The current value; undefined if there is none. */
  readonly now: Piece | undefined
  /** The form that changes it; undefined if the viewer may not. */
  readonly change?: { readonly form: string; readonly content: Piece; readonly action?: string } | undefined
  /** Keyboard shortcut that opens the form. */
  readonly key?: string
}

export function sidebar(facts: readonly (Html | null | undefined | false)[], name: string): Html {
  return html`<aside class="beside" aria-label="${name}">${facts}</aside>`
}

export function fact(visit: PageVisit, { title, now, change, key }: Fact): Html {
  if (change === undefined && now === undefined) return nothing
  if (change === undefined)
    return html`<section class="beside-fact"><h2>${title}</h2><div class="fact-now">${now}</div></section>`
  const isOpen = visit.failed !== null && visit.failed.form === change.form
  const { action, content } = change
  return html`<section class="beside-fact"><details${isOpen && html` open`}><summary${key && html` data-key="${key}"`}><h2>${title}</h2>${now === undefined ? icon('plus', issuePageWords.add) : icon('settings')}</summary>
${form(
  visit,
  change.form,
  html`<div class="choices">${content}</div>${button(words.save)}`,
  action === undefined ? { class: 'fact-form' } : { class: 'fact-form', action },
)}</details>${now !== undefined && html`<div class="fact-now">${now}</div>`}</section>`
}

interface FoldedFact {
  readonly title: string
  readonly isOpen: boolean
  readonly content: Piece
}

/** A choice inside the form of something new. */
export function foldedFact({ title, isOpen, content }: FoldedFact): Html {
  return html`<section class="beside-fact"><details${isOpen && html` open`}><summary><h2>${title}</h2>${icon('settings')}</summary><div class="choices">${content}</div></details></section>`
}

interface Choice {
  readonly value: string | number
  readonly text: Piece
  readonly isChosen: boolean
  /** With scripts, a click on it saves. */
  readonly sends?: boolean
}

/** Checkboxes, or radio buttons for a single choice. */
export function choices(
  name: string,
  list: readonly Choice[],
  type: 'checkbox' | 'radio' = 'checkbox',
): Html {
  return html`${list.map(
    ({ value, text, isChosen, sends }) =>
      html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${isChosen && html` checked`}${sends && html` data-sends`}> ${text}</label>`,
  )}`
}
