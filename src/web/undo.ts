/** Acts that the next page offers to undo; the slice `undo` keeps them for the account. */
import type { Act } from '#domains/work/undo'
import { type FormVisit, type Html, html, nothing, type PageVisit } from '#platform/page'
import { links, sameWith } from './links.ts'
import { icon } from './parts/basics.ts'
import { formButton } from './parts/forms.ts'
import { undoWords as words } from './words/undo.ts'

/** The address of the next page, which shows the notice. The form's `does` must name `undoKeep`. */
export async function withUndo({ ctx, ask }: FormVisit, to: string, act: Act): Promise<string> {
  if (ctx.isDryRun) return to
  const id = await ask('undoKeep', {}, act)
  const address = new URL(to, ctx.site.url)
  address.searchParams.set('undo', `${id}`)
  return address.pathname + address.search + address.hash
}

/** Shown only to the account that acted, until it is undone: an address cannot make one up. */
export async function undoNotice(visit: PageVisit): Promise<Html> {
  const { ctx, ask, query } = visit
  const id = Number(query.get('undo'))
  if (ctx.actor === null || !Number.isSafeInteger(id) || id < 1) return nothing
  const act = await ask('undoFind', { id })
  if (act === undefined) return nothing
  const to = sameWith(visit, {})
  const undo = formButton(
    visit,
    'undo',
    html`${icon('undo-2')}${words.undo}`,
    { id, to },
    { action: links.undo },
  )
  return html`<div class="flash undo spread" role="status"><span class="grow">${words.done(act)}</span>${undo}</div>`
}
