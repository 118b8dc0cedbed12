/** Head of an issue or pull request: title, state, who opened it, and the form of its title. */
import { type Html, html, type PageVisit, type Piece } from '#platform/page'
import { sameWith } from '../../links.ts'
import { issuePageWords as words } from '../../words/issues.ts'
import { icon, pill } from '../basics.ts'
import { button, field, form, written } from '../forms.ts'
import { stateOf } from './issue-list.ts'

interface HeadFacts {
  readonly title: string
  readonly number: number
  readonly state: string
  readonly pull_request?: { readonly merged: boolean; readonly draft: boolean } | null
  readonly is_locked: boolean
  readonly pin_order: number
}

interface HeadView {
  readonly of: HeadFacts
  readonly mayEdit: boolean
  /** The page that has the form of the title. */
  readonly action: string
  /** After the state: by whom, when, which branches. */
  readonly about: Piece
}

export function issueHead(visit: PageVisit, { of, mayEdit, action, about }: HeadView): Html {
  const { title, number } = of
  const isEdited = mayEdit && (visit.query.get('edit') === 'title' || visit.failed?.form === 'title')
  const edit = sameWith({ path: action, query: new URLSearchParams() }, { edit: 'title' })
  const head = isEdited
    ? html`<h1 class="unseen">${title}</h1>${titleForm(visit, title, action)}`
    : html`<div class="issue-title"><h1>${title} <span class="quiet-text">${words.number(number)}</span></h1>${
        mayEdit && html`<a class="button" href="${edit}" data-key="e">${icon('pencil')}${words.editTitle}</a>`
      }</div>`
  const { word, icon: iconName, tone } = stateOf(of)
  return html`${head}<div class="spread issue-state">${pill(word, tone, iconName)}${of.is_locked && pill(words.locked, 'warn', 'lock')}${
    of.pin_order > 0 && pill(words.pinned, 'plain', 'pin')
  } ${about}</div>`
}

function titleForm(visit: PageVisit, title: string, action: string): Html {
  const fields = html`${field({ name: 'title', label: words.titleField, value: written(visit, 'title', 'title', title), isRequired: true, isFocused: true })}<div class="actions">${button(words.saveTitle, { tone: 'primary' })}<a class="button" href="${action}">${words.cancelEdit}</a></div>`
  return form(visit, 'title', fields, { action, class: 'title-edit' })
}
