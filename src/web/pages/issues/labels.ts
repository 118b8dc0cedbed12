/** Labels of a repository: create, edit, delete, or add from a label set. */
import { type FormVisit, type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { Label } from '../../gen/contract.ts'
import { links, type RepositoryPath, withQuery } from '../../links.ts'
import { box, empty, label, pill } from '../../parts/basics.ts'
import { button, form, hidden, select } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { inRepository, loadRepository, mayReadPulls, type RepositoryView } from '../../parts/repository.ts'
import { labelWords as words } from '../../words/issues.ts'
import { site } from '../../words/site.ts'

const ROWS = 50

interface LabelsView {
  readonly view: RepositoryView
  readonly labels: readonly Label[]
  readonly total: number
  readonly shared: readonly Label[]
  readonly sets: readonly string[]
  readonly mayWrite: boolean
}

const labelsPage = page({
  path: '/:owner/:repo/labels',
  load: async (visit): Promise<LabelsView> => {
    const view = await loadRepository(visit)
    const { owner, repo } = visit.params
    const mayWrite = view.may.issues.write || view.may.pulls.write
    const [listed, shared, sets] = await Promise.all([
      visit.list('issueListLabels', { owner, repo, page: pageNumber(visit), limit: ROWS }),
      view.repo.owner.type === 'Organization'
        ? visit.maybe('orgListLabels', { org: owner, limit: ROWS })
        : [],
      mayWrite ? visit.ask('listLabelTemplates', {}) : [],
    ])
    return { view, labels: listed.items, total: listed.total, shared: shared ?? [], sets, mayWrite }
  },
  show: (shown, visit) =>
    inRepository(shown.view, 'issues', visit, {
      title: words.title,
      hidesHeading: true,
      body: show(visit, shown),
    }),
  forms: {
    create: { does: ['issueCreateLabel'], handle: create },
    edit: { does: ['issueEditLabel'], handle: edit },
    delete: { does: ['issueDeleteLabel'], handle: remove },
    set: { does: ['issueCreateLabel'], handle: addSet },
  },
})

function show(visit: PageVisit, shown: LabelsView): Html {
  const { view, labels, shared, total, mayWrite } = shown
  const list =
    labels.length === 0
      ? empty(words.none, html`<p>${words.noneHelp}</p>`)
      : html`<ul class="rows dense">${labels.map((it) => row(visit, shown, it, mayWrite))}</ul>`
  return html`${mayWrite && adding(visit, shown)}${box(words.title, list)}${pager(visit, total, ROWS)}${
    shared.length > 0 &&
    box(
      words.ofOwner(view.repo.owner.login),
      html`<ul class="rows dense">${shared.map((it) => row(visit, shown, it, false))}</ul>`,
    )
  }`
}

function adding(visit: PageVisit, { sets, labels }: LabelsView): Html {
  const isFailed = visit.failed?.form === 'create'
  const written = (name: string) => (isFailed ? (visit.failed?.fields.text(name) ?? '') : '')
  const isOpen = isFailed || labels.length === 0
  return html`<details class="bulk"${isOpen && html` open`}><summary class="button" data-key="c">${words.new}</summary>${form(
    visit,
    'create',
    html`${fieldsOf({ name: written('name'), color: written('color') || '#4a7dbd', description: written('description') }, 'new')}${button(words.create, { tone: 'primary' })}`,
  )}${
    sets.length > 0 &&
    form(
      visit,
      'set',
      html`<hr>${select({ name: 'set', label: words.set, options: sets.map((it) => [it, it] as const) })}${button(words.addSet)}`,
    )
  }</details>`
}

function row(visit: PageVisit, { view }: LabelsView, it: Label, mayWrite: boolean): Html {
  const { id, name, description, is_archived } = it
  const { repo, may } = view
  const unit = may.issues.read ? 'issues' : mayReadPulls(view) ? 'pulls' : undefined
  const shown =
    unit === undefined
      ? label(it)
      : html`<a href="${withQuery(links.of(repo, unit), { labels: name })}" title="${words.issues}">${label(it)}</a>`
  return html`<li class="row label-row"><div class="grow">${shown} <span class="quiet-text">${description}</span> ${is_archived && pill(words.archivedPill, 'warn')}</div>${
    mayWrite &&
    html`<details${visit.failed?.fields.number('id') === id && html` open`}><summary class="button quiet" aria-label="${words.edit(name)}">${site.edit}</summary>${form(
      visit,
      'edit',
      html`${hidden('id', id)}${fieldsOf(it, `${id}`)}<div class="actions">${button(words.save, { tone: 'primary' })}${button(words.delete, { tone: 'danger', name: 'form', value: 'delete' })}</div>`,
    )}</details>`
  }</li>`
}

/** Field names are the same in every row; ids are not. */
function fieldsOf(it: Partial<Label>, id: string): Html {
  const { name = '', color = '', description = '', exclusive = false, is_archived = false } = it
  return html`<div class="bulk-fields"><div class="field"><label for="name-${id}">${words.name}</label><input id="name-${id}" name="name" value="${name}" maxlength="50" required></div>
<div class="field"><label for="color-${id}">${words.color}</label><input id="color-${id}" type="color" name="color" value="#${color.replace('#', '')}"></div>
<div class="field"><label for="about-${id}">${words.description}</label><input id="about-${id}" name="description" value="${description}" maxlength="255"></div></div>
<label class="choice"><input type="checkbox" name="exclusive" value="true"${exclusive && html` checked`}> ${words.exclusive}</label>
<label class="choice"><input type="checkbox" name="is_archived" value="true"${is_archived && html` checked`}> ${words.archived}</label>`
}

type Visit = FormVisit<RepositoryPath>

function sentLabel({ fields }: Visit) {
  return {
    name: fields.required('name'),
    color: fields.required('color'),
    description: fields.text('description'),
    exclusive: fields.flag('exclusive'),
    is_archived: fields.flag('is_archived'),
  }
}

async function create(visit: Visit): Promise<string> {
  await visit.ask('issueCreateLabel', visit.params, sentLabel(visit))
  return visit.path
}

async function edit(visit: Visit): Promise<string> {
  await visit.ask('issueEditLabel', { ...visit.params, id: visit.fields.required('id') }, sentLabel(visit))
  return visit.path
}

async function remove({ ask, params, fields, path }: Visit): Promise<string> {
  await ask('issueDeleteLabel', { ...params, id: fields.required('id') })
  return path
}

/** Sequentially; labels whose name already exists are left alone. */
async function addSet({ ask, list, params, fields, path }: Visit): Promise<string> {
  const [wanted, there] = await Promise.all([
    ask('getLabelTemplateInfo', { name: fields.required('set') }),
    list('issueListLabels', { ...params, limit: ROWS }),
  ])
  const names = new Set(there.items.map(({ name }) => name.toLowerCase()))
  for (const { name, color, description, exclusive } of wanted)
    if (!names.has(name.toLowerCase()))
      await ask('issueCreateLabel', params, {
        name,
        color: `#${color.replace('#', '')}`,
        description,
        exclusive,
      })
  return path
}

export const labelsPages: readonly Page[] = [labelsPage]
