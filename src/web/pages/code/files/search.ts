/** Code search: lines of the default branch that contain a text. */
import type { FoundLine, FoundText } from '#git'
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { links, type RepositoryPath, withQuery } from '../../../links.ts'
import { empty } from '../../../parts/basics.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { searchBar } from '../../../parts/search-bar.ts'
import { activityWords as words } from '../../../words/activity.ts'

interface SearchView {
  readonly repository: RepositoryView
  readonly q: string
  readonly found: FoundText | null
}

const TEXT_MAX = 200

const searchPage = page({
  path: '/:owner/:repo/search',
  load: async (visit: PageVisit<RepositoryPath>): Promise<SearchView> => {
    const { owner, repo } = visit.params
    const repository = await loadRepository(visit)
    const q = (visit.query.get('q') ?? '').split('\n', 1)[0]?.trim().slice(0, TEXT_MAX) ?? ''
    const isIdle = q === '' || repository.repo.empty
    return { repository, q, found: isIdle ? null : await visit.ask('repoSearchText', { owner, repo, q }) }
  },
  show: ({ repository, q, found }, visit) => {
    const { repo } = repository
    return inRepository(repository, 'code', visit, {
      title: words.searchCode,
      body: html`<h1>${words.searchCode}</h1>${searchBar({ label: words.searchIn(repo.default_branch), value: q })}${
        found === null
          ? empty(words.searchHelp)
          : found.lines.length === 0
            ? empty(words.searchNothing)
            : html`${filesOf(repository, found.lines)}${found.isTruncated && html`<p class="quiet-text">${words.searchMore}</p>`}`
      }<p><a href="${withQuery(links.search, { q })}">${words.searchEverywhere}</a></p>`,
    })
  },
})

function filesOf({ repo }: RepositoryView, lines: readonly FoundLine[]): Html {
  const files = Map.groupBy(lines, ({ path }) => path)
  const branch = { kind: 'branch', name: repo.default_branch } as const
  return html`${[...files].map(([path, found]) => {
    const to = links.source(repo, branch, path)
    return html`<section class="box"><header class="box-head"><h2><a class="mono" href="${to}">${path}</a></h2></header><ul class="rows">${found.map(
      ({ line, text }) =>
        html`<li class="row"><a class="mono quiet-text" href="${to}#L${line}">${line}</a><code class="clip grow">${text}</code></li>`,
    )}</ul></section>`
  })}`
}

export const searchPages: readonly Page[] = [searchPage]
