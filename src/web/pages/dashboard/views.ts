/** Saved views of the user, and the forms that save and delete them. */
import type { SavedView } from '#domains/work/views'
import { html, type Page, page } from '#platform/page'
import { links } from '../../links.ts'
import { empty, icon } from '../../parts/basics.ts'
import { formButton } from '../../parts/forms.ts'
import { viewHref } from '../../parts/issues/saved-views.ts'
import { viewWords as words } from '../../words/dashboard.ts'

const viewsPage = page({
  path: '/-/views',
  requiresSignIn: true,
  load: ({ ask }) => ask('viewsList', {}),
  show: (views, visit) => {
    const row = (view: SavedView) =>
      html`<li class="row" data-row>${icon('bookmark')}<div class="grow"><a class="title" href="${viewHref(view)}" data-open>${view.name}</a><p class="row-facts"><span>${viewHref(view)}</span></p></div>${formButton(
        visit,
        'drop',
        icon('trash-2'),
        { path: view.path, name: view.name },
        { tone: 'quiet', label: words.drop(view.name) },
      )}</li>`
    const list = html`<div class="box"><ul class="rows dense">${views.map(row)}</ul></div>`
    return {
      title: words.title,
      body: html`<h1>${words.title}</h1>${views.length === 0 ? empty(words.none, html`<p>${words.noneHelp}</p>`) : list}`,
    }
  },
  forms: {
    save: {
      does: ['viewsSave'],
      handle: async ({ ask, fields }) => {
        const view = {
          name: fields.required('name').trim(),
          path: fields.required('path'),
          query: fields.text('query'),
        }
        await ask('viewsSave', {}, view)
        return viewHref(view)
      },
    },
    drop: {
      does: ['viewsDrop'],
      handle: async ({ ask, fields }) => {
        const view = { name: fields.required('name'), path: fields.required('path') }
        await ask('viewsDrop', {}, view)
        return links.views
      },
    },
  },
})

export const viewsPages: readonly Page[] = [viewsPage]
