/**
 * Preview of a text before it is sent. The form of any composer can be sent here; its fields are kept, so that it can
 * be submitted from the preview. With JavaScript only the region is fetched, and the page stays.
 */
import type { TextBase } from '#domains/instance/markup'
import {
  type Fields,
  type FormVisit,
  type Html,
  html,
  nothing,
  type Page,
  page,
  Redirect,
  type Rendered,
  region,
} from '#platform/page'
import { Problem } from '#platform/problem'
import { back, links, type Named } from '../../links.ts'
import { markdown } from '../../markdown.ts'
import { baseOf } from '../../parts/code/text-base.ts'
import { button, hidden } from '../../parts/forms.ts'
import { SIMILAR_MAX, similarLine } from '../../parts/issues/similar.ts'
import { conversationWords as words } from '../../words/conversation.ts'

const previewPage = page({
  path: '/-/markup',
  load: async () => {
    throw new Redirect(links.home)
  },
  show: () => {
    throw new Error('this page only sends elsewhere')
  },
  forms: { preview: { does: ['renderMarkdown'], handle: preview } },
})

/** Requires sign-in, like all composers, because rendering is expensive. */
async function preview(visit: FormVisit): Promise<Rendered> {
  const { ctx, fields } = visit
  if (ctx.actor === null) throw new Problem('unauthenticated', 'sign in first')
  const field = fields.text('preview_field')
  const place = fields.maybe('preview_place')
  const at = place === undefined ? null : { full_name: place }
  const rendered = await markdown(visit, fields.text(field), at, ...modeOf(fields, at))
  const content =
    fields.text(field).trim() === '' ? html`<p class="quiet-text">${words.previewEmpty}</p>` : rendered
  const similar = await loadSimilar(visit, place)
  const to = back(fields.text('preview_to'), links.home)
  return {
    title: words.previewTitle,
    body: html`<h1>${words.previewTitle}</h1><p>${words.previewHelp}</p>${similar}<div class="box box-text">${region('preview', content)}</div>
<form method="post" action="${to}">${keptFields(fields, field)}<div class="actions">${button(words.goOn, { tone: 'primary' })}<a class="button" href="${to}">${words.backTo}</a></div></form>`,
  }
}

/** Links of a wiki page are relative to its wiki, links of a file to its folder. */
function modeOf(fields: Fields, at: Named | null): [mode: 'comment' | 'markdown' | 'wiki', base?: TextBase] {
  const mode = fields.text('preview_mode')
  if (at === null || (mode !== 'wiki' && mode !== 'file')) return ['comment']
  if (mode === 'file')
    return [
      'markdown',
      baseOf(at, { kind: 'branch', name: fields.text('preview_branch') }, fields.text('path')),
    ]
  const root = `${links.wiki(at)}/`
  return ['wiki', { root, pictures: root, folder: '' }]
}

/** Similar issues for a new issue; none if the viewer may not see the repository. */
async function loadSimilar({ maybe, fields }: FormVisit, place = ''): Promise<Html> {
  if (!fields.text('draft').startsWith('issue:')) return nothing
  const [owner = '', repo = ''] = place.split('/')
  const title = fields.text('title')
  const similar = await maybe('issueListSimilar', { owner, repo, title, limit: SIMILAR_MAX })
  return similar === undefined ? nothing : similarLine({ full_name: place }, similar)
}

/** All fields of the form; the text itself can be edited. */
function keptFields(fields: Fields, field: string): Html {
  const one = ([name, value]: [string, string]) => {
    if (name.startsWith('preview_') || (name === 'form' && value === 'preview')) return undefined
    if (name !== field) return hidden(name, value)
    return html`<div class="field"><label for="kept">${words.edit}</label><textarea id="kept" name="${name}" rows="10" maxlength="1000000">
${value}</textarea></div>`
  }
  return html`${fields.entries().map(one)}`
}

export const previewPages: readonly Page[] = [previewPage]
