/** Acts that the next page offers to undo; the slice `undo` keeps them for the account. */
import type { Act } from '#domains/work/undo'
import { type FormVisit, type Html, html, nothing, type PageVisit } from '#platform/page'
import { links, sameWith } from './links.ts'
import { icon } from './parts/basics.ts'
import { formButton } from './parts/forms.ts'
import { undoWords as words } from './words/undo.ts'

/** An act as a page knows it, by names. */
type Named<A extends Act = Act> = A extends Act ? Omit<A, 'repository_id' | 'account_id'> : never

/** The address of the next page, which shows the notice. The form's `does` must name `undoKeep`. */
export async function withUndo(visit: FormVisit, to: string, act: Named): Promise<string> {
  const { ctx, ask } = visit
  if (ctx.isDryRun) return to
  const id = await ask('undoKeep', {}, await withIds(visit, act))
  const address = new URL(to, ctx.site.url)
  address.searchParams.set('undo', `${id}`)
  return address.pathname + address.search + address.hash
}

/** Names may belong to others when the act is undone. */
async function withIds({ ask }: FormVisit, act: Named): Promise<Act> {
  const repository = async ({ owner, repo }: { owner: string; repo: string }) => ({
    repository_id: (await ask('repoGet', { owner, repo })).id,
  })
  const account = async (username: string) => ({ account_id: (await ask('userGet', { username })).id })
  if (act.kind === 'member') return { ...act, ...(await account(act.login)) }
  if (act.kind === 'collaborator')
    return { ...act, ...(await repository(act)), ...(await account(act.login)) }
  return { ...act, ...(await repository(act)) }
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
