/** List of projects, and the form for a new one. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { Project } from '../../gen/contract.ts'
import { sameWith } from '../../links.ts'
import { empty, icon } from '../../parts/basics.ts'
import { area, button, field, form, select, written } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { assertAllowed } from '../../parts/repository.ts'
import { boardWords as words } from '../../words/boards.ts'
import type { BoardHome, HomeKind } from './home.ts'

const ROWS = 20
type Template = keyof typeof words.templates

interface ListView {
  readonly home: BoardHome
  readonly projects: readonly Project[]
  readonly total: number
  readonly state: 'open' | 'closed'
}

export function listPages<Params>(kind: HomeKind<Params>): Page[] {
  const listPage = page({
    path: kind.root,
    load: async (visit): Promise<ListView> => {
      const home = await kind.open(visit as unknown as PageVisit<Params>)
      const state = visit.query.get('state') === 'closed' ? 'closed' : 'open'
      const { items, total } = await home.place.list({ state, page: pageNumber(visit), limit: ROWS })
      return { home, projects: items, total, state }
    },
    show: (view, visit) =>
      view.home.wrap({ title: words.title, hidesHeading: true, body: list(visit, view) }),
  })
  const newPage = page({
    path: `${kind.root}/new`,
    requiresSignIn: true,
    load: async (visit) => {
      const home = await kind.open(visit as unknown as PageVisit<Params>)
      assertAllowed(home.mayWrite)
      return home
    },
    show: (home, visit) => home.wrap({ title: words.new, body: newForm(visit) }),
    forms: {
      create: {
        does: kind.does('CreateProject'),
        handle: async (visit) => {
          const { place, root } = await kind.open(visit as unknown as PageVisit<Params>)
          const { fields } = visit
          const { id } = await place.create({
            title: fields.required('title'),
            description: fields.text('description'),
            template_type: fields.text('template') as Template,
          })
          return `${root}/${id}`
        },
      },
    },
  })
  return [listPage, newPage]
}

function list(visit: PageVisit, { home, projects, total, state }: ListView): Html {
  const link = (name: 'open' | 'closed') =>
    html`<a class="button" href="${sameWith(visit, { state: name === 'open' ? undefined : name, page: undefined })}"${name === state && html` aria-current="true"`}>${words[name]}</a>`
  const one = (it: Project) =>
    html`<li class="row" data-row>${icon('square-kanban')}<div class="grow"><a class="title" href="${home.root}/${it.id}" data-open>${it.title}</a> <span class="quiet-text">${it.description}</span>
<p class="row-facts"><span>${words.counts(it.num_open_issues, it.num_closed_issues)}</span></p></div></li>`
  const make =
    home.mayWrite && html`<a class="button primary" href="${home.root}/new" data-key="c">${words.new}</a>`
  return html`<div class="filter"><div class="buttons">${link('open')}${link('closed')}</div><span class="grow"></span>${projects.length > 0 && make}</div>${
    projects.length === 0
      ? empty(words.none, html`<p>${words.noneHelp}</p>`, make)
      : html`<div class="box"><ul class="rows dense">${projects.map(one)}</ul></div>`
  }${pager(visit, total, ROWS)}`
}

function newForm(visit: PageVisit): Html {
  const value = (name: string, otherwise = '') => written(visit, 'create', name, otherwise)
  return html`<h1>${words.new}</h1>${form(
    visit,
    'create',
    html`${field({ name: 'title', label: words.name, value: value('title'), isRequired: true, isFocused: visit.failed === null })}
${area({ name: 'description', label: words.description, value: value('description'), rows: 3 })}
${select({ name: 'template', label: words.template, value: value('template', 'basic_kanban'), options: Object.entries(words.templates) })}${button(words.create, { tone: 'primary' })}`,
    { class: 'settings' },
  )}`
}
