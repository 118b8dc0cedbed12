/** A new issue: blank, from a template or from an issue form, saved as a draft. */
import type { SimilarIssue } from '#domains/work/issues'
import {
  type FormVisit,
  type Html,
  html,
  nothing,
  type Page,
  type PageVisit,
  page,
  Redirect,
} from '#platform/page'
import { draftsOf, dropSentDraft } from '../../drafts.ts'
import type { IssueConfig, IssueTemplate, Label, Milestone, User } from '../../gen/contract.ts'
import { links, type RepositoryPath, withQuery } from '../../links.ts'
import { markdownOfAll } from '../../markdown.ts'
import { label, outsideLink } from '../../parts/basics.ts'
import { attachFiles } from '../../parts/conversation/attach-files.ts'
import { composer } from '../../parts/conversation/composer.ts'
import { button, field, form, hidden, written } from '../../parts/forms.ts'
import { loadLabels } from '../../parts/issues/load-facts.ts'
import { choices, foldedFact, sidebar } from '../../parts/issues/sidebar.ts'
import { SIMILAR_MAX, similarLine } from '../../parts/issues/similar.ts'
import { assertAllowed, inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { issuePageWords, newIssueWords as words } from '../../words/issues.ts'
import { formFields, textOfForm } from './form-fields.ts'

interface ChooseView {
  readonly view: RepositoryView
  readonly templates: readonly IssueTemplate[]
  readonly config: IssueConfig
}

const choosePage = page({
  path: '/:owner/:repo/issues/new/choose',
  requiresSignIn: true,
  load: async (visit): Promise<ChooseView> => {
    const { owner, repo } = visit.params
    const view = await loadToOpen(visit)
    const [templates, config] = await Promise.all([
      visit.ask('repoGetIssueTemplates', { owner, repo }),
      visit.ask('repoGetIssueConfig', { owner, repo }),
    ])
    if (templates.length === 0 && config.contact_links.length === 0)
      throw new Redirect(withQuery(newAddress(view), Object.fromEntries(visit.query)))
    return { view, templates, config }
  },
  show: (shown, visit) =>
    inRepository(shown.view, 'issues', visit, { title: words.title, body: chooser(shown) }),
})

async function loadToOpen(visit: PageVisit<RepositoryPath>): Promise<RepositoryView> {
  const view = await loadRepository(visit)
  assertAllowed(view.may.issues.join)
  return view
}

function newAddress({ repo }: RepositoryView): string {
  return links.of(repo, 'issues', 'new')
}

function chooser({ view, templates, config }: ChooseView): Html {
  const row = (to: string, name: string, about: string) =>
    html`<li class="row" data-row><div class="grow"><a class="title" href="${to}" data-open>${name}</a><div class="quiet-text">${about}</div></div></li>`
  return html`<h1>${words.choose}</h1><div class="box"><ul class="rows">${templates.map(
    ({ name, about, file_name }) => row(withQuery(newAddress(view), { template: file_name }), name, about),
  )}${config.blank_issues_enabled && row(newAddress(view), words.blank, words.blankHelp)}${config.contact_links.map(
    ({ name, url, about }) =>
      html`<li class="row"><div class="grow"><strong>${outsideLink(url, name)}</strong><div class="quiet-text">${about}</div></div></li>`,
  )}</ul></div>`
}

interface NewView {
  readonly view: RepositoryView
  readonly template: IssueTemplate | undefined
  readonly notes: ReadonlyMap<number, Html>
  readonly draft: string
  readonly begun: Readonly<Record<string, string>>
  readonly labels: readonly Label[]
  readonly people: readonly User[]
  readonly milestones: readonly Milestone[]
  readonly similar: readonly SimilarIssue[]
}

const newPage = page({
  path: '/:owner/:repo/issues/new',
  requiresSignIn: true,
  load: async (visit): Promise<NewView> => {
    const { owner, repo } = visit.params
    const view = await loadToOpen(visit)
    const isWriter = view.may.issues.write
    const draft = `issue:${view.repo.id}`
    const [template, begun, labels, people, milestones] = await Promise.all([
      findTemplate(visit, visit.query.get('template')),
      draftsOf(visit, draft, `${draft}#title`),
      isWriter ? loadLabels(visit, view.repo) : [],
      isWriter ? visit.ask('repoGetAssignees', { owner, repo }) : [],
      isWriter ? visit.ask('issueGetMilestonesList', { owner, repo, state: 'open', limit: 50 }) : [],
    ])
    const notes = await renderNotes(visit, template, view)
    const title =
      visit.query.get('similar') ?? visit.failed?.fields.text('title') ?? begun[`${draft}#title`] ?? ''
    const similar = await visit.ask('issueListSimilar', { owner, repo, title, limit: SIMILAR_MAX })
    return { view, template, notes, draft, begun, labels, people, milestones, similar }
  },
  show: (shown, visit) =>
    inRepository(shown.view, 'issues', visit, {
      title: words.title,
      body: newForm(visit, shown),
      islands: ['similar.ts'],
    }),
  forms: {
    create: {
      does: ['issueCreateIssue', 'issueCreateIssueAttachment', 'issueEditIssue', 'draftsDrop'],
      handle: create,
    },
  },
})

async function findTemplate(
  visit: PageVisit<RepositoryPath>,
  name: string | null | undefined,
): Promise<IssueTemplate | undefined> {
  if (!name) return undefined
  const { owner, repo } = visit.params
  const all = await visit.ask('repoGetIssueTemplates', { owner, repo })
  return all.find(({ file_name }) => file_name === name)
}

async function renderNotes(
  visit: PageVisit,
  template: IssueTemplate | undefined,
  { repo }: RepositoryView,
): Promise<ReadonlyMap<number, Html>> {
  const notes = [...(template?.body ?? []).entries()].filter(([, { type }]) => type === 'markdown')
  const texts = notes.map(([, { attributes }]) => ({ text: String(attributes.value ?? '') }))
  const rendered = await markdownOfAll(visit, texts, repo)
  return new Map(notes.map(([i], at) => [i, rendered[at] ?? nothing]))
}

function newForm(visit: PageVisit, shown: NewView): Html {
  const { view, template, draft, begun } = shown
  const { query } = visit
  const isForm = template !== undefined && template.body.length > 0
  const title = begun[`${draft}#title`] || query.get('title') || (template?.title ?? '')
  const text = isForm
    ? formFields(visit, template.body, shown.notes)
    : composer(visit, {
        label: words.text,
        draft,
        value: written(
          visit,
          'create',
          'body',
          begun[draft] || query.get('body') || (template?.content ?? ''),
        ),
        place: view.repo.full_name,
        rows: 12,
        takesFiles: true,
      })
  const content = html`<div class="columns"><div>${hidden('template', template?.file_name ?? '')}
${field({ name: 'title', label: words.titleField, value: written(visit, 'create', 'title', title), isRequired: true, isFocused: visit.failed === null })}${similarLine(view.repo, shown.similar)}${text}
<div class="actions end">${button(words.create, { tone: 'primary' })}</div></div>${beside(visit, shown)}</div>`
  return html`<h1>${template?.name ?? words.title}</h1>${form(visit, 'create', content, { draft, hasFiles: !isForm })}`
}

/** Sidebar for users who may set these; values of the template are preselected. */
function beside(visit: PageVisit, { view, template, labels, people, milestones }: NewView): Html {
  if (!view.may.issues.write) return nothing
  const sent = visit.failed?.form === 'create' ? visit.failed.fields : undefined
  const named = new Set((visit.query.get('labels') ?? '').split(',').concat(template?.labels ?? []))
  const chosenLabels = new Set(
    sent?.all('label') ?? labels.filter(({ name }) => named.has(name)).map(({ id }) => `${id}`),
  )
  const chosenPeople = new Set(sent?.all('assignee') ?? template?.assignees ?? [])
  const milestone = sent?.text('milestone') ?? visit.query.get('milestone') ?? '0'
  const part = (title: string, count: number, content: Html) =>
    foldedFact({ title, isOpen: count > 0, content })
  return sidebar(
    [
      part(
        issuePageWords.labels,
        chosenLabels.size,
        choices(
          'label',
          labels.map((it) => ({ value: it.id, text: label(it), isChosen: chosenLabels.has(`${it.id}`) })),
        ),
      ),
      part(
        issuePageWords.assignees,
        chosenPeople.size,
        choices(
          'assignee',
          people.map(({ login }) => ({ value: login, text: login, isChosen: chosenPeople.has(login) })),
        ),
      ),
      part(
        issuePageWords.milestone,
        milestone === '0' ? 0 : 1,
        choices(
          'milestone',
          [
            { value: 0, text: issuePageWords.noMilestone, isChosen: milestone === '0' },
            ...milestones.map(({ id, title }) => ({
              value: id,
              text: title,
              isChosen: `${id}` === milestone,
            })),
          ],
          'radio',
        ),
      ),
    ],
    issuePageWords.beside,
  )
}

async function create(visit: FormVisit<RepositoryPath>): Promise<string> {
  const { ask, fields, params } = visit
  const template = await findTemplate(visit, fields.maybe('template'))
  const isForm = template !== undefined && template.body.length > 0
  const milestone = fields.number('milestone')
  const body = isForm ? textOfForm(template.body, fields) : fields.text('body')
  const issue = await ask('issueCreateIssue', params, {
    title: fields.required('title'),
    body,
    ...(template?.ref && { ref: template.ref }),
    ...(fields.has('label') && { labels: fields.numbers('label') }),
    ...(fields.has('assignee') && { assignees: fields.all('assignee') }),
    ...(milestone && { milestone }),
  })
  await dropSentDraft(visit)
  const at = { ...params, index: issue.number }
  await attachFiles(visit, {
    text: body,
    attach: (file) => ask('issueCreateIssueAttachment', at, undefined, file),
    setText: (text) => ask('issueEditIssue', at, { body: text }),
  })
  return links.issue(issue.repository, issue.number)
}

export const newPages: readonly Page[] = [choosePage, newPage]
