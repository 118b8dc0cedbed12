/** What an owner stores, by kind, as a table. */
import { type Html, html, type ResponseOf } from '#platform/page'
import { bytes } from '../words/site.ts'
import { storageWords as words } from '../words/storage.ts'

export type Usage = ResponseOf<'userGetUsage'>

export function usageTable({ repositories, kinds }: Usage): Html {
  const rows = [
    row(words.repositories, repositories.count, repositories.limit, String),
    ...kinds.map((it) => row(words.kinds[it.kind], it.bytes, it.limit, bytes)),
  ]
  return html`<div class="box scrolls" tabindex="0" role="group" aria-label="${words.title}"><table class="list"><thead><tr><th scope="col">${words.kind}</th><th scope="col">${words.usage}</th><th scope="col">${words.limit}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function row(name: string, used: number, limit: number, show: (value: number) => string): Html {
  const text = limit < 0 ? show(used) : words.usedOf(show(used), show(limit))
  const bar =
    limit >= 0 &&
    html` <progress max="${Math.max(limit, 1)}" value="${used}" aria-label="${`${name}: ${text}`}"></progress>`
  return html`<tr><th scope="row">${name}</th><td>${show(used)}${bar}</td><td>${limit < 0 ? words.unlimited : show(limit)}</td></tr>`
}
