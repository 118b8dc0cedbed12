/** Sidebar of an issue or pull request: entries with their forms, and one row for entries without a value. */
import { type Html, html, nothing, type PageVisit, type Piece } from '#platform/page'
import { issuePageWords } from '../../words/issues.ts'
import { site as words } from '../../words/site.ts'
import { icon } from '../basics.ts'
import { button, form } from '../forms.ts'

interface Fact {
  readonly title: string
  /** The current value. */
  readonly now: Piece
  /** The form that changes it; undefined if the viewer may not. */
  readonly change?: { readonly form: string; readonly content: Piece; readonly action?: string } | undefined
  /** Keyboard shortcut that opens the form. */
  readonly key?: string
}

/** An entry that has no value yet: a button of the row that adds one. */
interface Missing {
  readonly missing: Html
}

export type SidebarPart = Html | Missing | null | undefined | false

/** The row stands where its first entry would. */
export function sidebar(parts: readonly SidebarPart[], name: string): Html {
  const missing = parts.filter(isMissing)
  const row = html`<section class="beside-fact adds"><h2>${issuePageWords.add}</h2>${missing.map((it) => it.missing)}</section>`
  return html`<aside class="beside" aria-label="${name}">${parts.map((it) => {
    if (!isMissing(it)) return it
    return it === missing[0] && row
  })}</aside>`
}

function isMissing(part: SidebarPart): part is Missing {
  return typeof part === 'object' && part !== null && 'missing' in part
}

export function fact(visit: PageVisit, it: Fact): Html {
  const { title, now, change } = it
  if (change === undefined)
    return html`<section class="beside-fact"><h2>${title}</h2><div class="fact-now">${now}</div></section>`
  return html`<section class="beside-fact">${changing(visit, it, html`<h2>${title}</h2>${icon('settings')}`)}<div class="fact-now">${now}</div></section>`
}

/** For an entry that may have no value. */
export function maybeFact(visit: PageVisit, it: Omit<Fact, 'now'> & { now: Piece | undefined }): SidebarPart {
  const { now, ...rest } = it
  if (now !== undefined) return fact(visit, { ...rest, now })
  if (it.change === undefined) return nothing
  return { missing: changing(visit, rest, html`${icon('plus')}${it.title}`, 'button quiet') }
}

/** The form that changes an entry opens without scripts. */
function changing(visit: PageVisit, { change, key }: Omit<Fact, 'now'>, summary: Html, tone = ''): Html {
  if (change === undefined) return nothing
  const isOpen = visit.failed !== null && visit.failed.form === change.form
  const { action, content } = change
  return html`<details${isOpen && html` open`}><summary${tone !== '' && html` class="${tone}"`}${key && html` data-key="${key}"`}>${summary}</summary>
${form(
  visit,
  change.form,
  html`<div class="choices">${content}</div>${button(words.save)}`,
  action === undefined ? { class: 'fact-form' } : { class: 'fact-form', action },
)}</details>`
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
