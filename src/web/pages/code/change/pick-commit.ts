/** Cherry-picks or reverts a commit on a branch. */
import { type FormVisit, type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import type { Commit } from '../../../gen/contract.ts'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { subjectOf } from '../../../parts/code/commit-list.ts'
import { area, button, field, form, written } from '../../../parts/forms.ts'
import { inRepository, type RepositoryView } from '../../../parts/repository.ts'
import { changeWords as words } from '../../../words/change.ts'
import { commitOf, loadWritable, resultOf, whereFields } from './edit-context.ts'

interface PickPath extends RepositoryPath {
  readonly sha: string
}

interface PickView {
  readonly repository: RepositoryView
  readonly commit: Commit
  readonly branches: readonly string[]
}

const FORM = 'pick'
const BRANCHES_MAX = 50
const SHORT = 10

const pickPage = page({
  path: '/:owner/:repo/_cherrypick/:sha',
  requiresSignIn: true,
  load: loadPick,
  show: (view, visit) => {
    const { repository, commit } = view
    const id = commit.sha.slice(0, SHORT)
    const isRevert = isRevertIn(visit)
    const title = isRevert ? words.revertNamed(id) : words.pickNamed(id)
    return inRepository(repository, 'code', visit, {
      title,
      body: html`<div class="settings"><h1>${title}</h1><p><a href="${links.commit(repository.repo, commit.sha)}">${subjectOf(commit)}</a></p>
<p class="quiet-text">${isRevert ? words.revertHelp : words.pickHelp}${commit.parents.length > 1 && ` ${words.mergeHelp}`}</p>${pickForm(visit, view, isRevert)}</div>`,
    })
  },
  forms: { [FORM]: { does: ['repoPickCommit'], handle: pick } },
})

async function loadPick(visit: PageVisit<PickPath>): Promise<PickView> {
  const repository = await loadWritable(visit)
  const { owner, repo, sha } = visit.params
  const [commit, { items }] = await Promise.all([
    visit.ask('repoGetSingleCommit', { owner, repo, sha, files: false, stat: false }),
    visit.list('repoListBranches', { owner, repo, limit: BRANCHES_MAX }),
  ])
  return { repository, commit, branches: items.map(({ name }) => name) }
}

function isRevertIn({ query }: PageVisit): boolean {
  return query.get('revert') === 'true'
}

function pickForm(
  visit: PageVisit,
  { repository: { repo }, commit, branches }: PickView,
  isRevert: boolean,
): Html {
  const { sha } = commit
  const id = sha.slice(0, SHORT)
  const said = isRevert ? words.revertMessage(subjectOf(commit), sha) : commit.commit.message.trim()
  const content = html`${conflicts(visit)}${field({ name: 'branch', label: words.target, value: written(visit, FORM, 'branch', visit.query.get('branch') || repo.default_branch), isRequired: true, offers: branches })}
${area({ name: 'message', label: words.message, value: written(visit, FORM, 'message', said) })}
${whereFields(visit, FORM, {
  direct: words.directTarget,
  newBranch: isRevert ? words.revertBranch(id) : words.pickBranch(id),
  isNew: true,
})}<div class="actions">${button(isRevert ? words.revert : words.pick, { tone: 'primary' })}<a class="button quiet" href="${links.commit(repo, sha)}">${words.cancel}</a></div>`
  // By full id: a ref could point to another commit by the time the form is sent.
  return form(visit, FORM, content, { action: links.pick(repo, sha, isRevert) })
}

/** The conflicting files, if any. */
function conflicts({ failed }: PageVisit): Html {
  const paths = failed?.problem.details.paths
  if (!Array.isArray(paths)) return nothing
  return html`<section class="box"><p class="box-text">${words.conflicts}</p><ul class="rows">${paths.map((it) => html`<li class="row"><code>${String(it)}</code></li>`)}</ul></section>`
}

async function pick(visit: FormVisit<PickPath>): Promise<string> {
  const { ask, params, fields } = visit
  const commit = commitOf(fields, fields.required('branch').trim())
  await ask('repoPickCommit', params, { ...commit, is_revert: isRevertIn(visit) })
  return resultOf(repositoryAt(params), commit)
}

export const pickPages: readonly Page[] = [pickPage]
