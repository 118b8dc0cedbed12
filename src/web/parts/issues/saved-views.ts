/** Saved views of a list, and the form that saves the current one. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { links, withQuery } from '../../links.ts'
import { viewWords as words } from '../../words/dashboard.ts'
import { icon } from '../basics.ts'
import { button, field, form, hidden } from '../forms.ts'

/** A view as the slice `views` stores it. */
interface View {
  readonly name: string
  readonly path: string
  readonly query: string
}

/** Parameters that are not part of a view. */
const PASSING = ['page', 'act']

export function queryOf({ query }: Pick<PageVisit, 'query'>): string {
  const kept = new URLSearchParams([...query].filter(([name]) => !PASSING.includes(name)))
  kept.sort()
  return `${kept}`
}

export function viewHref({ path, query }: View): string {
  return query === '' ? path : `${path}?${query}`
}

export function savedViews(visit: PageVisit, views: readonly View[]): Html {
  if (visit.ctx.actor === null) return nothing
  const now = queryOf(visit)
  const one = (view: View) =>
    html`<a class="button quiet" href="${viewHref(view)}"${view.query === now && html` aria-current="page"`}>${icon('bookmark')}${view.name}</a>`
  const isSaved = now === '' || views.some(({ query }) => query === now)
  if (views.length === 0 && isSaved) return nothing
  const save = form(
    visit,
    'save',
    html`${hidden('path', visit.path)}${hidden('query', now)}${field({ name: 'name', label: words.name, id: 'view-name', isRequired: true, maxLength: 100 })}${button(words.save)}`,
    { action: links.views },
  )
  return html`<div class="saved-views">${views.map(one)}${
    !isSaved &&
    html`<details class="bulk"><summary>${icon('bookmark')} ${words.saveThis}</summary>${save}</details>`
  }${views.length > 0 && html`<a class="small quiet-text" href="${withQuery(links.views, {})}">${words.manage}</a>`}</div>`
}
