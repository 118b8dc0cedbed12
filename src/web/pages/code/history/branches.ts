/** Branches: distance to the default branch, protection and pull request; create, rename, delete and restore. */
import type { BranchesByDate, DeletedBranch } from '#domains/code/contents'
import type { PullOfBranch } from '#domains/review/pulls'
import type { Distance } from '#git'
import {
  type FormVisit,
  type Html,
  html,
  nothing,
  type Page,
  type PageVisit,
  page,
  type Rendered,
} from '#platform/page'
import type { Branch, Repository } from '../../../gen/contract.ts'
import { links, type RepositoryPath, sameWith } from '../../../links.ts'
import { empty, icon, pill, time } from '../../../parts/basics.ts'
import { shortId } from '../../../parts/code/code-head.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { button, field, form, formButton, hidden, written } from '../../../parts/forms.ts'
import { stateOf } from '../../../parts/issues/issue-list.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { inRepository, loadRepository, mayReadPulls, type RepositoryView } from '../../../parts/repository.ts'
import { withUndo } from '../../../undo.ts'
import { branchWords as words } from '../../../words/branches.ts'

interface BranchesView extends BranchesByDate {
  readonly repository: RepositoryView
  /** By branch. */
  readonly pulls: ReadonlyMap<string, PullOfBranch>
  /** Distance to the default branch, by commit. */
  readonly distances: ReadonlyMap<string, Distance>
  readonly asked: string
  /** Can be restored, by users who may push. */
  readonly deleted: readonly DeletedBranch[]
}

const LIMIT = 20

const branchesPage = page({
  path: '/:owner/:repo/branches',
  load: loadBranches,
  show: showBranches,
  forms: {
    new: {
      does: ['repoCreateBranch'],
      handle: async ({ ask, params, fields, path }: FormVisit<RepositoryPath>) => {
        const from = fields.maybe('from')
        await ask('repoCreateBranch', params, {
          new_branch_name: fields.required('name').trim(),
          ...(from !== undefined && { old_ref_name: from.trim() }),
        })
        return path
      },
    },
    rename: {
      does: ['repoRenameBranch'],
      handle: async ({ ask, params, fields, path }: FormVisit<RepositoryPath>) => {
        await ask(
          'repoRenameBranch',
          { ...params, branch: fields.required('branch') },
          { name: fields.required('name').trim() },
        )
        return path
      },
    },
    delete: {
      does: ['repoDeleteBranch', 'undoKeep'],
      handle: deleteBranch,
    },
    restore: {
      does: ['repoRestoreBranch'],
      handle: async ({ ask, params, fields, path }: FormVisit<RepositoryPath>) => {
        await ask('repoRestoreBranch', params, { name: fields.required('branch') })
        return path
      },
    },
  },
})

async function loadBranches(visit: PageVisit<RepositoryPath>): Promise<BranchesView> {
  const { ask, params, query } = visit
  const { owner, repo } = params
  const repository = await loadRepository(visit)
  const asked = (query.get('q') ?? '').slice(0, 250)
  const state = STATES.find((it) => it === query.get('state'))
  const listed = await ask('repoListBranchesByDate', {
    owner,
    repo,
    ...(asked !== '' && { q: asked }),
    ...(state && { state }),
    page: pageNumber(visit),
    limit: LIMIT,
  })
  const all = listed.main === undefined ? listed.items : [listed.main, ...listed.items]
  const distances = await loadDistances(visit, repository, all)
  const branches = all.map(({ name }) => name)
  const pulls: BranchesView['pulls'] = mayReadPulls(repository)
    ? await ask('pullListByBranch', { owner, repo }, { branches })
    : new Map()
  const deleted = repository.may.code.write ? await ask('repoListDeletedBranches', { owner, repo }) : []
  return { ...listed, repository, pulls, distances, asked, deleted }
}

async function deleteBranch(visit: FormVisit<RepositoryPath>): Promise<string> {
  const { ask, params, fields } = visit
  const { owner, repo } = params
  const name = fields.required('branch')
  await ask('repoDeleteBranch', { owner, repo, branch: name })
  return withUndo(visit, sameWith(visit, {}), { kind: 'branch', owner, repo, name })
}

async function loadDistances(
  { ask, params: { owner, repo: name } }: PageVisit<RepositoryPath>,
  { repo }: RepositoryView,
  branches: readonly Branch[],
): Promise<ReadonlyMap<string, Distance>> {
  if (repo.empty || branches.length === 0) return new Map()
  const shas = branches.map(({ commit }) => commit.id)
  return ask('repoCountDistances', { owner, repo: name }, { shas })
}

function showBranches(view: BranchesView, visit: PageVisit): Rendered {
  const { repository, main, items, total, asked } = view
  const { repo, may } = repository
  const mayWrite = may.code.write
  const rows = (list: readonly Branch[]) =>
    html`<ul class="rows dense">${list.map((it) => branchRow(view, it, visit, mayWrite))}</ul>`
  const first =
    main !== undefined &&
    html`<section class="box"><header class="box-head"><h2>${words.defaultBranch}</h2></header>${rows([main])}</section>`
  return inRepository(repository, 'code', visit, {
    title: words.title,
    body: html`<div class="code-head"><h1>${words.title}</h1><span class="grow"></span><form class="spread" action="${links.of(repo, 'branches')}"><label class="unseen" for="branch-q">${words.find}</label>
<input id="branch-q" type="search" name="q" value="${asked}" placeholder="${words.find}" maxlength="250"></form><a class="button" href="${links.of(repo, 'tags')}">${icon('tag')}${words.tags}</a></div>
${first}<section class="box"><header class="box-head"><h2 class="unseen">${words.others}</h2>${stateLinks(view, visit)}</header>${
      items.length === 0 ? empty(asked === '' ? words.noOthers : words.none) : rows(items)
    }</section>${pager(visit, total, LIMIT)}${deletedBox(view, visit)}${mayWrite && !repo.empty && newForm(view, visit)}`,
  })
}

const STATES = ['active', 'stale', 'all'] as const

function stateLinks({ counts, state, total }: BranchesView, visit: PageVisit): Html {
  if (counts === null) return html`<span>${words.count(total)}</span>`
  return html`<div class="buttons">${STATES.map(
    (it) =>
      html`<a class="button" href="${sameWith(visit, { state: it, page: undefined })}" title="${words.stateHelp[it]}"${it === state && html` aria-current="true"`}>${words.states[it]} <span class="counter">${counts[it]}</span></a>`,
  )}</div>`
}

/** No link to the commit: only commits of refs have pages. */
function deletedBox({ deleted }: BranchesView, visit: PageVisit): Html {
  if (deleted.length === 0) return nothing
  const row = ({ name, oid, deleted_by, deleted_at }: DeletedBranch) =>
    html`<li class="row">${icon('trash-2')}<div class="grow"><strong>${name}</strong> <span class="quiet-text"><span class="mono">${shortId(oid)}</span> · ${deleted_by !== null && words.deletedBy(deleted_by)} ${time(deleted_at, visit.ctx.now())}</span></div>${formButton(visit, 'restore', words.restore, { branch: name }, { label: words.restoreNamed(name) })}</li>`
  return html`<section class="box"><header class="box-head"><h2>${words.recentlyDeleted}</h2></header><ul class="rows dense">${deleted.map(row)}</ul></section>`
}

function branchRow(
  { repository: { repo, may }, distances, pulls }: BranchesView,
  branch: Branch,
  visit: PageVisit,
  mayWrite: boolean,
): Html {
  const { name, commit } = branch
  const isDefault = name === repo.default_branch
  // Compat: only administrators rename default and protected branches.
  const mayRename = mayWrite && (may.admin || !(isDefault || branch.protected))
  const distance = isDefault ? undefined : distances.get(commit.id)
  return html`<li class="row">${icon('git-branch')}<div class="grow"><a class="title" href="${links.source(repo, { kind: 'branch', name })}">${name}</a> ${
    isDefault && pill(words.default, 'good')
  }${branch.protected && pill(words.protected, 'plain', 'shield')}</div><div class="line-facts quiet-text"><span class="clip">${subjectOf(commit.message)}</span><a class="mono" href="${links.commit(repo, commit.id)}">${shortId(commit.id)}</a>${time(commit.timestamp, visit.ctx.now())}</div>
${distance === undefined ? nothing : distanceOf(distance)}${pullMark(repo, pulls.get(name))}${
  !isDefault &&
  html`<a class="button quiet" href="${links.compare(repo, repo.default_branch, name)}" aria-label="${words.compare(name)}" title="${words.compare(name)}">${icon('git-compare')}</a>`
}${mayRename && renameForm(visit, name)}${
  mayWrite &&
  !isDefault &&
  formButton(visit, 'delete', icon('trash-2'), { branch: name }, { tone: 'quiet', label: words.delete(name) })
}</li>`
}

function pullMark(repo: Repository, pull: PullOfBranch | undefined): Html {
  if (pull === undefined) return nothing
  const { word, icon: name, tone } = stateOf({ state: pull.state, pull_request: pull })
  return html`<a class="pill ${tone}" href="${links.pull(repo, pull.number)}" title="${pull.title} · ${word}">${icon(name, word)} #${pull.number}</a>`
}

function distanceOf({ ahead, behind }: Distance): Html {
  return html`<span class="distance quiet-text" title="${words.distance(ahead, behind)}"><span class="unseen">${words.distance(ahead, behind)}</span><span aria-hidden="true">−${behind} +${ahead}</span></span>`
}

function renameForm(visit: PageVisit, name: string): Html {
  const id = `rename-${name}`
  return html`<details class="rename"><summary class="button quiet" aria-label="${words.rename(name)}" title="${words.rename(name)}">${icon('pencil')}</summary>${form(
    visit,
    'rename',
    html`${hidden('branch', name)}<label class="unseen" for="${id}">${words.newName}</label><input id="${id}" name="name" value="${name}" maxlength="250" required>${button(words.renameNow)}`,
    { class: 'spread' },
  )}</details>`
}

function newForm({ repository: { repo } }: BranchesView, visit: PageVisit): Html {
  const content = html`${field({ name: 'name', label: words.newName, value: written(visit, 'new', 'name'), isRequired: true, maxLength: 250 })}
${field({ name: 'from', label: words.from, value: written(visit, 'new', 'from', repo.default_branch), help: words.fromHelp, maxLength: 250 })}${button(words.create, { tone: 'primary' })}`
  return html`<section class="box settings"><header class="box-head"><h2>${words.new}</h2></header>${form(visit, 'new', content)}</section>`
}

export const branchPages: readonly Page[] = [branchesPage]
