/** Branches: distance to the default branch and protection; create, rename, delete and restore. */
import type { DeletedBranch } from '#domains/code/contents'
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
import type { Branch } from '../../../gen/contract.ts'
import { links, type RepositoryPath, sameWith } from '../../../links.ts'
import { empty, icon, pill, time } from '../../../parts/basics.ts'
import { shortId } from '../../../parts/code/code-head.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { button, field, form, formButton, hidden, written } from '../../../parts/forms.ts'
import { pageNumber, pager } from '../../../parts/pager.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { withUndo } from '../../../undo.ts'
import { branchWords as words } from '../../../words/branches.ts'

interface BranchesView {
  readonly repository: RepositoryView
  readonly branches: readonly Branch[]
  readonly total: number
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
  const { owner, repo } = visit.params
  const repository = await loadRepository(visit)
  const asked = (visit.query.get('q') ?? '').slice(0, 250)
  const { items, total } = await visit.list('repoListBranches', {
    owner,
    repo,
    ...(asked !== '' && { q: asked }),
    page: pageNumber(visit),
    limit: LIMIT,
  })
  const distances = await loadDistances(visit, repository, items)
  const deleted = repository.may.code.write ? await visit.ask('repoListDeletedBranches', { owner, repo }) : []
  return { repository, branches: items, total, distances, asked, deleted }
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
  const { repository, branches, total, asked } = view
  const { repo, may } = repository
  const mayWrite = may.code.write
  const list =
    branches.length === 0
      ? empty(words.none)
      : html`<ul class="rows two-line">${branches.map((it) => branchRow(view, it, visit, mayWrite))}</ul>`
  return inRepository(repository, 'code', visit, {
    title: words.title,
    body: html`<div class="code-head"><h2>${words.title}</h2><span class="grow"></span><form class="spread" action="${links.of(repo, 'branches')}"><label class="unseen" for="branch-q">${words.find}</label>
<input id="branch-q" type="search" name="q" value="${asked}" placeholder="${words.find}" maxlength="250"></form><a class="button" href="${links.of(repo, 'tags')}">${icon('tag')}${words.tags}</a></div>
<section class="box"><header class="box-head"><h3>${words.count(total)}</h3></header>${list}</section>${pager(visit, total, LIMIT)}${deletedBox(view, visit)}${mayWrite && !repo.empty && newForm(view, visit)}`,
  })
}

/** No link to the commit: only commits of refs have pages. */
function deletedBox({ deleted }: BranchesView, visit: PageVisit): Html {
  if (deleted.length === 0) return nothing
  const row = ({ name, oid, deleted_by, deleted_at }: DeletedBranch) =>
    html`<li class="row">${icon('trash-2')}<div class="grow"><strong>${name}</strong> <span class="quiet-text"><span class="mono">${shortId(oid)}</span> · ${deleted_by !== null && words.deletedBy(deleted_by)} ${time(deleted_at, visit.ctx.now())}</span></div>${formButton(visit, 'restore', words.restore, { branch: name }, { label: words.restoreNamed(name) })}</li>`
  return html`<section class="box"><header class="box-head"><h3>${words.recentlyDeleted}</h3></header><ul class="rows">${deleted.map(row)}</ul></section>`
}

function branchRow(
  { repository: { repo, may }, distances }: BranchesView,
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
  }${branch.protected && pill(words.protected, 'plain', 'shield')}<br>
<span class="quiet-text"><a class="mono" href="${links.commit(repo, commit.id)}">${shortId(commit.id)}</a> ${subjectOf(commit.message)} · ${time(commit.timestamp, visit.ctx.now())}</span></div>
${distance === undefined ? nothing : distanceOf(distance)}${
  !isDefault &&
  html`<a class="button quiet" href="${links.compare(repo, repo.default_branch, name)}" aria-label="${words.compare(name)}" title="${words.compare(name)}">${icon('git-compare')}</a>`
}${mayRename && renameForm(visit, name)}${
  mayWrite &&
  !isDefault &&
  formButton(visit, 'delete', icon('trash-2'), { branch: name }, { tone: 'quiet', label: words.delete(name) })
}</li>`
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
  return html`<section class="box settings"><header class="box-head"><h3>${words.new}</h3></header>${form(visit, 'new', content)}</section>`
}

export const branchPages: readonly Page[] = [branchesPage]
