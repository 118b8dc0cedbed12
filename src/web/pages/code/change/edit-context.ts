/** Shared parts of code changes: branch, file, commit message, and target branch. */
import type { Fields, Html, PageVisit } from '#platform/page'
import { html } from '#platform/page'
import { invalid, Problem } from '#platform/problem'
import type { ContentsResponse } from '../../../gen/contract.ts'
import { links, type Named, type RepositoryPath } from '../../../links.ts'
import { button, check, field, written } from '../../../parts/forms.ts'
import { loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { changeWords as words } from '../../../words/change.ts'

export interface ChangePath extends RepositoryPath {
  readonly place: string
}

export interface EditContext {
  readonly repository: RepositoryView
  readonly branch: string
  readonly path: string
  readonly mayPush: boolean
}

/** Refuses users without write access before they have written anything. */
export async function loadWritable(visit: PageVisit<RepositoryPath>): Promise<RepositoryView> {
  const repository = await loadRepository(visit)
  if (!repository.may.code.write) throw new Problem('forbidden', words.writeNeeded)
  return repository
}

export async function loadEditContext(visit: PageVisit<ChangePath>): Promise<EditContext> {
  const repository = await loadWritable(visit)
  const { repo } = repository
  const { owner, repo: name, place } = visit.params
  // The first file creates the default branch.
  if (repo.empty) {
    const { default_branch: branch } = repo
    return { repository, branch, path: place.slice(branch.length + 1), mayPush: true }
  }
  const { name: branch, path } = await visit.ask('repoGetPlace', { owner, repo: name, kind: 'branch', place })
  const { user_can_push } = await visit.ask('repoGetBranch', { owner, repo: name, branch })
  return { repository, branch, path, mayPush: user_can_push }
}

/** The current content of the file to be changed. */
export async function loadTarget(
  visit: PageVisit<ChangePath>,
  { branch, path }: Pick<EditContext, 'branch' | 'path'>,
): Promise<ContentsResponse> {
  const { owner, repo } = visit.params
  const asked = { owner, repo, filepath: path, ref: `refs/heads/${branch}`, includes: 'file_content' }
  const { file_contents: file } = await visit.ask('repoGetContentsExt', asked)
  if (file?.type !== 'file') throw new Problem('not_found', 'file does not exist')
  return file
}

/** Fields for commit message and branch. */
export function commitFields(
  visit: PageVisit,
  { repository: { repo }, branch, mayPush, path }: EditContext,
  form: string,
  message: string,
  submit: string,
): Html {
  const back = repo.empty
    ? links.repository(repo)
    : links.source(repo, { kind: 'branch', name: branch }, form === 'edit' ? path : '')
  return html`<section class="box commit-box">${field({ name: 'message', label: words.message, value: written(visit, form, 'message', message), maxLength: 1_000 })}
${
  !repo.empty &&
  whereFields(visit, form, {
    direct: words.direct(branch),
    newBranch: `${visit.ctx.actor?.login ?? 'my'}-patch-1`,
    isNew: !mayPush,
  })
}<div class="actions">${button(submit, { tone: form === 'delete' ? 'danger' : 'primary' })}<a class="button quiet" href="${back}">${words.cancel}</a></div></section>`
}

interface WhereFacts {
  readonly direct: string
  /** Proposed name of a new branch. */
  readonly newBranch: string
  /** Whether a new branch is preselected. */
  readonly isNew: boolean
}

/** Choice between committing to the branch and to a new one. */
export function whereFields(visit: PageVisit, form: string, facts: WhereFacts): Html {
  const where = written(visit, form, 'where', facts.isNew ? 'new' : 'direct')
  const choice = (value: string, label: string) =>
    check({ name: 'where', value, type: 'radio', label, isChecked: where === value })
  return html`<fieldset><legend class="unseen">${words.where}</legend>${choice('direct', facts.direct)}
${choice('new', words.branch)}</fieldset>
${field({ name: 'new_branch', label: words.branchName, value: written(visit, form, 'new_branch', facts.newBranch), maxLength: 250 })}`
}

/** Commit options that all operations share. */
export function commitOf(fields: Fields, branch: string) {
  const isNew = fields.text('where') === 'new'
  return {
    branch,
    ...(isNew && { new_branch: fields.required('new_branch').trim() }),
    ...(fields.maybe('message') !== undefined && { message: fields.text('message') }),
  }
}

/** Where to go afterwards: the file, or the comparison from which a pull request is opened. */
export function resultOf(
  repo: Named,
  { branch, new_branch }: { readonly branch: string; readonly new_branch?: string },
  path = '',
): string {
  return new_branch === undefined
    ? links.source(repo, { kind: 'branch', name: branch }, path)
    : links.compare(repo, branch, new_branch)
}

/** Normalizes a path that a user typed. */
export function pathIn(fields: Fields, name: string): string {
  const path = fields
    .text(name)
    .trim()
    .replaceAll(/^\/+|\/+$/g, '')
  if (path === '') throw invalid(`${name}: is required`)
  return path
}
