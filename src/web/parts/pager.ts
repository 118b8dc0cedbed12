/** Pagination. */
import { type Html, html, nothing } from '#platform/page'
import { sameWith } from '../links.ts'
import { site as words } from '../words/site.ts'

interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

/** The page number in the address. */
export function pageNumber({ query }: Pick<Place, 'query'>): number {
  const number = Number(query.get('page') ?? 1)
  return Number.isSafeInteger(number) && number > 0 ? Math.min(number, 1_000_000) : 1
}

export function pager(place: Place, total: number, limit: number): Html {
  const pages = Math.ceil(total / limit)
  if (pages <= 1) return nothing
  const page = pageNumber(place)
  const step = (to: number, text: string, rel: string) =>
    to < 1 || to > pages
      ? html`<span class="button" aria-disabled="true">${text}</span>`
      : html`<a class="button" rel="${rel}" href="${sameWith(place, { page: to === 1 ? undefined : to })}">${text}</a>`
  return html`<nav class="pager" aria-label="${words.pageOf(page, pages)}">${step(page - 1, words.previous, 'prev')}
<span>${words.pageOf(page, pages)}</span>${step(page + 1, words.next, 'next')}</nav>`
}
