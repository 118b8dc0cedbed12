/** Quick search for repositories, users and issues: for the palette, and as a page without JavaScript. */
import { type Html, html, type Page, page, region } from '#platform/page'
import type { Issue, Repository, User } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { avatar, empty, icon } from '../../parts/basics.ts'
import { button } from '../../parts/forms.ts'
import { pageOf, stateIcon } from '../../parts/issues/issue-list.ts'
import { findWords as words } from '../../words/dashboard.ts'

const SOME = 5

interface FindView {
  readonly q: string
  readonly repositories: readonly Repository[]
  readonly people: readonly User[]
  readonly issues: readonly Issue[]
}

const findPage = page({
  path: '/-/find',
  load: async (visit): Promise<FindView> => {
    const q = (visit.query.get('q') ?? '').trim().slice(0, 100)
    if (q === '') return { q, repositories: [], people: [], issues: [] }
    const [repositories, people, issues] = await Promise.all([
      visit.ask('repoSearch', { q, limit: SOME, sort: 'updated', order: 'desc' }),
      visit.ask('userSearch', { q, limit: SOME }),
      visit.ask('issueSearchIssues', { q, limit: SOME, state: 'open' }),
    ])
    return { q, repositories: repositories.data, people: people.data, issues }
  },
  show: (view) => ({
    title: words.title,
    body: html`<h1>${words.title}</h1><form class="search-bar" action="/-/find" role="search" aria-label="${words.field}"><label class="unseen" for="find-q">${words.field}</label><input id="find-q" class="grow" type="search" name="q" value="${view.q}" maxlength="100" placeholder="${words.field}">${button(words.title)}</form>${region('found', found(view))}`,
  }),
})

function found({ q, repositories, people, issues }: FindView): Html {
  if (q !== '' && repositories.length + people.length + issues.length === 0) return empty(words.nothing)
  const row = (to: string, mark: Html, text: string, kind: string) =>
    html`<li class="row">${mark}<a class="title grow" href="${to}">${text}</a><span class="small quiet-text">${kind}</span></li>`
  return html`<ul class="box rows">${repositories.map((it) => row(links.repository(it), icon('book'), it.full_name, words.repositories))}${people.map(
    (it) =>
      row(
        links.account(it.login),
        avatar(it, 20),
        it.full_name === '' ? it.login : `${it.login} (${it.full_name})`,
        words.people,
      ),
  )}${issues.map((it) =>
    row(
      pageOf(it),
      stateIcon(it),
      `${it.title} ${it.repository.full_name}#${it.number}`,
      it.pull_request === null ? words.issues : words.pulls,
    ),
  )}</ul>`
}

export const findPages: readonly Page[] = [findPage]
