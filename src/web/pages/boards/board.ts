/** A board: columns of cards, moved by dragging, keys or a form. Moves by others appear live. */

import type { RuleEvent } from '#domains/work/projects'
import { type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import type { Issue, Project, ProjectColumn } from '../../gen/contract.ts'
import { icon, label, pill } from '../../parts/basics.ts'
import { area, button, check, field, form, formButton, hidden, written } from '../../parts/forms.ts'
import { type IssueFilter, matches, readFilter, searchLine } from '../../parts/issues/issue-filter.ts'
import { faces, pageOf, stateIcon } from '../../parts/issues/issue-list.ts'
import { liveRegion } from '../../parts/live.ts'
import { boardWords as words } from '../../words/boards.ts'
import { boardForms, RULE_EVENTS } from './forms.ts'
import type { BoardHome, HomeKind } from './home.ts'

interface Column {
  readonly column: ProjectColumn
  readonly cards: readonly Issue[]
  readonly total: number
  readonly takes: readonly RuleEvent[]
  /** Cards beyond those that are loaded. */
  readonly left: number
}

interface BoardView {
  readonly filter: IssueFilter
  readonly home: BoardHome
  readonly project: Project
  readonly columns: readonly Column[]
}

export function boardPage<Params>(kind: HomeKind<Params>): Page {
  return page({
    path: `${kind.root}/:id`,
    load: async (visit): Promise<BoardView> => {
      const { id } = visit.params as unknown as { id: string }
      const home = await kind.open(visit as unknown as PageVisit<Params>)
      const project = await home.place.get(id)
      const [{ items }, cards] = await Promise.all([home.place.columns(id), home.place.cards(id)])
      const filter = readFilter(visit.query, 'all')
      const columns = items.map((column) => {
        const { items: shown = [], total = 0, takes = [] } = cards.get(column.id) ?? {}
        const left = total - shown.length
        return { column, cards: shown.filter((it) => matches(filter, it)), total, left, takes }
      })
      return { filter, home, project, columns }
    },
    show: (view, visit) =>
      view.home.wrap({
        title: view.project.title,
        body: html`${head(visit, view)}${board(visit, view)}`,
        islands: view.home.mayWrite ? ['board.ts'] : [],
        isWide: true,
      }),
    forms: boardForms(kind),
  })
}

function head(visit: PageVisit, view: BoardView): Html {
  const { project, home } = view
  const isOpen = project.state === 'open'
  return html`<div class="issue-title"><div class="grow"><h1>${project.title} ${!isOpen && pill(words.closed, 'done')}</h1><p class="quiet-text">${project.description}</p></div>${
    home.mayWrite && html`<div class="actions">${settings(visit, view)}</div>`
  }</div>`
}

function settings(visit: PageVisit, { project }: BoardView): Html {
  const isOpen = project.state === 'open'
  const value = (name: string, old: string) => written(visit, 'edit', name, old)
  return html`<details class="bulk"${visit.failed?.form === 'edit' && html` open`}><summary class="button">${icon('settings')} ${words.edit}</summary>${form(
    visit,
    'edit',
    html`${field({ name: 'title', label: words.name, value: value('title', project.title), isRequired: true })}${area({ name: 'description', label: words.description, value: value('description', project.description), rows: 3 })}${button(words.save, { tone: 'primary' })}`,
  )}<div class="actions">${formButton(visit, isOpen ? 'close' : 'reopen', isOpen ? words.close : words.reopen)}${formButton(visit, 'delete', words.delete, {}, { tone: 'danger' })}</div></details>`
}

function board(visit: PageVisit, view: BoardView): Html {
  const { project, columns, home, filter } = view
  const mayMove = home.mayWrite && project.state === 'open'
  const lists = html`<div class="board" data-board tabindex="0" role="group" aria-label="${words.board}">${columns.map((it) => columnOf(visit, it, mayMove))}</div>`
  // The board is outside of this form, because each column has its own.
  const content = html`${lists}${mayMove && form(visit, 'move', mover(view), { id: MOVE_FORM, class: 'mover' })}`
  return html`${searchLine(visit, { filter })}${mayMove && html`<p class="help with-scripts board-help">${words.help}</p>`}${liveRegion('board', `board:${project.id}`, content)}${mayMove && columnForms(visit, view)}`
}

const MOVE_FORM = 'move-form'

/** Moves the selected cards: appears at the lower edge when one is selected. */
function mover({ columns }: BoardView): Html {
  return html`<label for="move-to">${words.moveTo}</label><select id="move-to" name="column">${columns.map(
    ({ column }) => html`<option value="${column.id}">${column.title}</option>`,
  )}</select>${button(words.move)}${button(words.first, { name: 'position', value: '0' })}${button(words.take, { name: 'form', value: 'take' })}`
}

function columnOf(visit: PageVisit, { column, cards, total, left, takes }: Column, mayMove: boolean): Html {
  const { id, title, color } = column
  return html`<section class="column" data-column="${id}" aria-labelledby="column-${id}"><h2 id="column-${id}">${/^#[\da-f]{6}$/i.test(color) && html`<span class="dot" style="background:${color}"></span>`}${title} <span class="counter" title="${words.cards(total)}">${total}</span>${column.default && pill(words.isDefault)}${takes.map((it) => html` ${pill(words.takes[it])}`)}</h2>
${mayMove && addForm(visit, column)}<ol class="cards">${cards.map((it) => card(it, mayMove))}</ol>${left > 0 && html`<p class="small quiet-text">${words.more(left)}</p>`}</section>`
}

function addForm(visit: PageVisit, { id, title }: ProjectColumn): Html {
  const isFailed = visit.failed?.form === 'put' && visit.failed.fields.number('column') === id
  const value = isFailed ? visit.failed.fields.text('issue') : ''
  return html`<details class="column-add"${isFailed && html` open`}><summary class="button quiet" aria-label="${words.addTo(title)}" title="${words.addTo(title)}">${icon('plus')}</summary>${form(
    visit,
    'put',
    html`${hidden('column', id)}<label class="unseen" for="put-${id}">${words.cardNumber}</label><input id="put-${id}" name="issue" value="${value}" placeholder="${words.cardPlaceholder}" title="${words.cardNumber}" maxlength="255" required>${button(words.addCard)}`,
  )}</details>`
}

function card(issue: Issue, mayMove: boolean): Html {
  const { id, number, title, repository, labels, assignees } = issue
  return html`<li class="card" data-card="${id}" data-row${mayMove && html` draggable="true"`}><div class="card-head">${
    mayMove &&
    html`<input type="checkbox" name="issue" value="${id}" form="${MOVE_FORM}" aria-label="${words.select(number)}" data-select>`
  }${stateIcon(issue)}<span class="small quiet-text grow">${repository.name}#${number}</span>${faces(assignees)}</div>
<a class="title" href="${pageOf(issue)}" data-open draggable="false">${title}</a>${labels.length > 0 && html`<div>${labels.map((it) => html`${label(it)} `)}</div>`}</li>`
}

/** Forms for columns, below the board. */
function columnForms(visit: PageVisit, { columns }: BoardView): Html {
  const create = form(
    visit,
    'add-column',
    html`${field({ name: 'title', label: words.columnName, value: written(visit, 'add-column', 'title'), isRequired: true })}${button(words.addColumn)}`,
  )
  const edits = columns.map((it, i) =>
    editColumn(
      visit,
      it,
      columns.map((it) => it.column.id),
      i,
    ),
  )
  return html`<div class="board-forms"><section class="box box-text"><h2>${words.addColumn}</h2>${create}${edits}</section></div>`
}

function editColumn(visit: PageVisit, { column, takes }: Column, order: readonly number[], at: number): Html {
  const { id, title, color } = column
  const isFailed = visit.failed?.form === 'edit-column' && visit.failed.fields.number('column') === id
  const swapped = (to: number) => {
    const ids = [...order]
    ids.splice(to, 0, ...ids.splice(at, 1))
    return ids.join(',')
  }
  const step = (to: number, text: string, name: string) =>
    to < 0 || to >= order.length
      ? nothing
      : formButton(
          visit,
          'order',
          icon(name),
          { order: swapped(to) },
          { label: `${text}: ${title}`, tone: 'quiet' },
        )
  return html`<details${isFailed && html` open`}><summary>${words.editColumn(title)}</summary>${form(
    visit,
    'edit-column',
    html`${hidden('column', id)}<label for="column-name-${id}" class="unseen">${words.columnName}</label><input id="column-name-${id}" name="title" value="${title}" maxlength="255" required><label for="column-color-${id}" class="unseen">${words.editColumn(title)}</label><input id="column-color-${id}" type="color" name="color" value="${/^#[\da-f]{6}$/i.test(color) ? color : '#8a8a8a'}">${button(words.save)}`,
    { class: 'title-form' },
  )}${form(
    visit,
    'rules',
    html`${hidden('column', id)}<fieldset class="spread"><legend>${words.rules}</legend>${RULE_EVENTS.map(
      (event) =>
        check({
          name: event,
          id: `rule-${event}-${id}`,
          label: words.ruleEvents[event],
          isChecked: takes.includes(event),
        }),
    )}</fieldset>${button(words.save, { label: words.saveRules(title) })}`,
  )}<div class="actions">${step(at - 1, words.left, 'arrow-left')}${step(at + 1, words.right, 'arrow-right')}${
    !column.default &&
    html`${formButton(visit, 'default-column', words.makeDefault, { column: id })}${formButton(visit, 'delete-column', words.deleteColumn, { column: id }, { tone: 'danger', label: `${words.deleteColumn}: ${title}` })}`
  }</div></details>`
}
