/** Resolves the conflicts of a pull request in the browser, by a merge of its base into its head branch. */
import type { PullConflicts } from '#domains/review/merges'
import {
  addressOf,
  type Fields,
  type FormVisit,
  type Html,
  html,
  type Page,
  type PageVisit,
  page,
  Redirect,
} from '#platform/page'
import { invalid, Problem } from '#platform/problem'
import { links } from '../../links.ts'
import { icon } from '../../parts/basics.ts'
import { textEditor } from '../../parts/code/text-editor.ts'
import { button, form, hidden } from '../../parts/forms.ts'
import { conflictWords as words } from '../../words/conflicts.ts'
import { conflictRecipe } from './conflict-recipe.ts'
import { headName, inPull } from './frame.ts'
import { indexOf, loadPull, type PullPath, type PullView, pullHref } from './load.ts'

interface EditedConflict {
  readonly path: string
  readonly text: string
  readonly hasCrLf: boolean
}

interface ConflictsView extends PullView {
  /** The commits that the files were read of. */
  readonly head: string
  readonly base: string
  /** Undefined: they cannot be resolved here. */
  readonly files: readonly EditedConflict[] | undefined
}

const FILES_MAX = 100
const TEXT_MAX = 1_000_000
const BEGIN = /^<{7} /gm
/** In Markdown a marker would underline a heading, so it is not highlighted. */
const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/i

const conflictsPage = page({
  path: '/:owner/:repo/pulls/:index/conflicts',
  requiresSignIn: true,
  load: async (visit: PageVisit<PullPath>): Promise<ConflictsView> => {
    const it = await loadPull(visit)
    // After a refusal the sent texts are shown, whatever conflicts now.
    if (visit.failed !== null) return { ...it, ...sentIn(visit.failed.fields) }
    const found = await visit.ask('pullGetConflicts', indexOf(visit.params))
    if (found.conflicts.kind === 'none') throw new Redirect(links.merging(it.view.repo, it.pull.number))
    return { ...it, head: found.head, base: found.base, files: filesOf(found) }
  },
  show: (it, visit) =>
    inPull(it, 'talk', visit, {
      title: words.title,
      islands: ['conflicts.ts'],
      isWide: true,
      body: html`<h2>${words.title}</h2>${it.files === undefined ? other(it) : editors(visit, it, it.files)}`,
    }),
  forms: { resolve: { does: ['pullResolveConflicts'], handle: resolve } },
})

function filesOf({ conflicts }: PullConflicts): EditedConflict[] | undefined {
  if (conflicts.kind !== 'text') return undefined
  return conflicts.files.map(({ path, text }) => ({ path, text, hasCrLf: text.includes('\r\n') }))
}

function sentIn(fields: Fields): Pick<ConflictsView, 'head' | 'base' | 'files'> {
  const files: EditedConflict[] = []
  for (let i = 0; i < FILES_MAX && fields.has(`path-${i}`); i++)
    files.push({
      path: fields.text(`path-${i}`),
      text: fields.text(`text-${i}`),
      hasCrLf: fields.flag(`crlf-${i}`),
    })
  return { head: fields.text('head'), base: fields.text('base'), files }
}

function other(it: ConflictsView): Html {
  return html`<p>${words.other}</p><section class="box">${conflictRecipe(it)}</section>`
}

/** Without JavaScript all files are sent as they are, and the operation looks for markers. */
function editors(visit: PageVisit, it: ConflictsView, files: readonly EditedConflict[]): Html {
  const { pull, view } = it
  const isOutdated = visit.failed?.problem.kind === 'conflict'
  const content = html`${hidden('head', it.head)}${hidden('base', it.base)}${
    isOutdated && html`<p><a class="button" href="${addressOf(visit)}">${words.again}</a></p>`
  }${files.map((file, i) => editor(visit, file, i))}<div class="actions">${button(html`${icon('git-merge')}${words.commit}`, { tone: 'primary' })}<a class="button quiet" href="${links.pull(view.repo, pull.number)}">${words.cancel}</a></div>`
  return html`<p>${words.help(pull.base.ref, headName(pull))}</p>${form(visit, 'resolve', content, { class: 'conflicts' })}`
}

function editor(visit: PageVisit, { path, text, hasCrLf }: EditedConflict, i: number): Html {
  const left = text.match(BEGIN)?.length ?? 0
  const step = (by: number, word: string, iconName: string) =>
    html`<button type="button" class="button" data-step="${by}">${icon(iconName)}${word}</button>`
  return html`<details class="box" data-conflict${i === 0 && html` open`}><summary class="box-head"><code class="grow">${path}</code> <span class="quiet-text" data-left>${words.conflicts(left)}</span> <span data-resolved hidden><span class="state good">${icon('circle-check')} ${words.resolved}</span></span></summary>
<div class="box-text">${hidden(`path-${i}`, path)}${hasCrLf && hidden(`crlf-${i}`, 'true')}<div class="actions with-scripts">${step(-1, words.previous, 'arrow-up')}${step(1, words.next, 'arrow-down')}<button type="button" class="button" data-mark disabled>${icon('check')}${words.mark}</button></div>
${textEditor(visit, { name: `text-${i}`, label: path, value: text, path: path.replace(MARKDOWN, '.txt'), maxLength: TEXT_MAX })}</div></details>`
}

async function resolve(visit: FormVisit<PullPath>): Promise<string> {
  const { ask, params, fields } = visit
  const { head, base, files = [] } = sentIn(fields)
  const resolved = files.map(({ path, text, hasCrLf }) => ({
    path,
    content: hasCrLf ? text.replaceAll('\n', '\r\n') : text,
  }))
  await ask('pullResolveConflicts', indexOf(params), { head, base, files: resolved }).catch(explain)
  return pullHref(params)
}

function explain(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  if (error.kind === 'conflict') throw new Problem('conflict', words.moved)
  const { paths } = error.details
  throw Array.isArray(paths) ? invalid(words.left(paths.join(', '))) : error
}

export const conflictsPages: readonly Page[] = [conflictsPage]
