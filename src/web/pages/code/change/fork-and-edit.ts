/** Edits a file without write access: the change goes to a new branch of the viewer's fork, then to a pull request. */
import { type FormVisit, html, type OperationId, type Page, type PageVisit, page } from '#platform/page'
import { Problem } from '#platform/problem'
import { links } from '../../../links.ts'
import { headName } from '../../../parts/code/pushed-branches.ts'
import { button, field, form, written } from '../../../parts/forms.ts'
import {
  assertAllowed,
  inRepository,
  loadRepository,
  type RepositoryView,
} from '../../../parts/repository.ts'
import { changeWords as words } from '../../../words/change.ts'
import { mayForkAndEdit } from '../files/edit-link.ts'
import { type ChangePath, loadTarget, pathIn } from './edit-context.ts'
import { contentIn, type EditedFile, fileFields, loadEdited } from './edit-file.ts'

interface ForkEditView extends EditedFile {
  readonly repository: RepositoryView
  readonly branch: string
}

const DOES: readonly OperationId[] = [
  'createFork',
  'repoBranchFromParent',
  'repoUpdateFile',
  'repoDeleteBranch',
]

const forkAndEditPage = page({
  path: '/:owner/:repo/_fork/*place',
  requiresSignIn: true,
  load: async (visit: PageVisit<ChangePath>): Promise<ForkEditView> => {
    const repository = await loadRepository(visit)
    assertAllowed(mayForkAndEdit(visit, repository))
    const place = await placeOf(visit)
    return { repository, branch: place.branch, ...(await loadEdited(visit, place)) }
  },
  show: (view, visit) => {
    const { repo } = view.repository
    const cancel = links.source(repo, { kind: 'branch', name: view.branch }, view.path)
    const content = html`${fileFields(visit, 'propose', view, { repository: repo.full_name, branch: view.branch })}<section class="box commit-box">${field({ name: 'message', label: words.message, value: written(visit, 'propose', 'message', words.messages.edit(view.path)), maxLength: 1_000 })}
<div class="actions">${button(words.propose, { tone: 'primary' })}<a class="button quiet" href="${cancel}">${words.cancel}</a></div></section>`
    return inRepository(view.repository, 'code', visit, {
      islands: ['editor.ts'],
      title: words.edit(view.path),
      body: html`<h1>${words.edit(view.path)}</h1><p class="flash">${words.forkHelp(repo.full_name)}</p>${form(
        visit,
        'propose',
        content,
        { class: 'file-editor', draft: `file:${repo.full_name}:${view.branch}:${view.path}` },
      )}`,
    })
  },
  forms: { propose: { does: DOES, handle: propose } },
})

async function placeOf(visit: PageVisit<ChangePath>): Promise<{ branch: string; path: string }> {
  const { owner, repo, place } = visit.params
  const { name, path } = await visit.ask('repoGetPlace', { owner, repo, kind: 'branch', place })
  return { branch: name, path }
}

/**
 * Whatever can be refused is checked first. The fork may stay without the change: the next attempt uses it. The branch
 * is deleted if the commit is refused.
 */
async function propose(visit: FormVisit<ChangePath>): Promise<string> {
  const { ask, params, fields } = visit
  const place = await placeOf(visit)
  const to = pathIn(fields, 'path')
  const sha = fields.required('sha')
  if ((await loadTarget(visit, place)).sha !== sha) throw new Problem('conflict', words.changedMeanwhile)
  const fork = await findOrCreateFork(visit)
  const { branch } = await ask('repoBranchFromParent', fork, { parent_branch: place.branch })
  const change = {
    branch,
    content: contentIn(visit),
    sha,
    ...(fields.maybe('message') !== undefined && { message: fields.text('message') }),
    ...(to !== place.path && { from_path: place.path }),
  }
  await ask('repoUpdateFile', { ...fork, filepath: to }, change).catch(async (error: unknown) => {
    await ask('repoDeleteBranch', { ...fork, branch })
    throw error
  })
  const base = await ask('repoGet', { owner: params.owner, repo: params.repo })
  return links.compare(base, place.branch, headName(base, { owner: fork.owner, name: fork.repo }, branch))
}

const NAMES_MAX = 5

/** An account has at most one fork of a repository; a fork whose name is taken gets a number. */
async function findOrCreateFork({ ctx, ask, params }: FormVisit<ChangePath>) {
  const { owner, repo } = params
  const login = ctx.actor?.login ?? ''
  for (let number = 0; ; number++) {
    const name = number === 0 ? repo : `${repo}-${number}`
    const made = await ask('createFork', { owner, repo }, { name }).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.kind !== 'conflict' || number === NAMES_MAX) throw error
      return error
    })
    if (!(made instanceof Problem)) return { owner: login, repo: made.name }
    const { fork } = made.details
    if (typeof fork === 'string') return { owner: login, repo: fork }
  }
}

export const forkAndEditPages: readonly Page[] = [forkAndEditPage]
