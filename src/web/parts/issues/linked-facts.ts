/** Sidebar of an issue or pull request: the issues and pull requests that it closes, depends on and blocks. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import type { Issue } from '../../gen/contract.ts'
import { issuePageWords as words } from '../../words/issues.ts'
import { icon } from '../basics.ts'
import { field, formButton } from '../forms.ts'
import { pageOf, stateIcon } from './issue-list.ts'
import type { FactsView } from './load-facts.ts'
import { fact, maybeFact, type SidebarPart } from './sidebar.ts'

/** Empty lists are hidden: keywords in texts and commits make the links. */
export function linkedFact(visit: PageVisit, { issue, linked, closes }: FactsView): Html {
  if (linked.length === 0) return nothing
  const titleOfPull = closes ? words.willClose : words.linkedIssues
  return fact(visit, {
    title: issue.pull_request === null ? words.linkedPulls : titleOfPull,
    now: linked.map((it) => html`<span class="dependency">${stateIcon(it)} ${linkTo(it, issue)}</span>`),
  })
}

export function dependencyFact(
  visit: PageVisit,
  { issue, repo, dependencies, blocks, mayWrite }: FactsView,
): SidebarPart {
  if (repo.internal_tracker?.enable_issue_dependencies === false) return nothing
  if (!mayWrite && dependencies.length === 0 && blocks.length === 0) return nothing
  const line = (it: Issue, verb: 'undepend' | 'unblock') =>
    html`<span class="dependency">${stateIcon(it)} ${linkTo(it, issue)}${
      mayWrite &&
      formButton(
        visit,
        verb,
        icon('x'),
        { other: `${it.repository.full_name}#${it.number}` },
        { tone: 'quiet', label: words.remove(it.title) },
      )
    }</span>`
  const seen = dependencies.filter((it): it is Issue => it.repository !== null)
  const now = html`${seen.map((it) => line(it, 'undepend'))}${
    blocks.length > 0 &&
    html`<h3 class="small quiet-text">${words.blocks}</h3>${blocks.map((it) => line(it, 'unblock'))}`
  }`
  const content = field({ name: 'other', label: words.dependency, maxLength: 200 })
  return maybeFact(visit, {
    title: words.dependsOn,
    now: seen.length + blocks.length === 0 ? undefined : now,
    change: mayWrite ? { form: 'depend', content } : undefined,
  })
}

/** Of another repository with its name. */
function linkTo(it: Issue, { repository }: Issue): Html {
  const place = it.repository.full_name === repository.full_name ? '' : it.repository.full_name
  return html`<a href="${pageOf(it)}">${place}#${it.number} ${it.title}</a>`
}
