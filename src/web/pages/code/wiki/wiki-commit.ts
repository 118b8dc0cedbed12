/** A commit of a wiki: author and diff. */
import { type Html, html, type Page, type PageVisit, page, type ResponseOf } from '#platform/page'
import { diffOfAnswer, whitespaceOf } from '../../../diff/source.ts'
import { diffView } from '../../../diff/view.ts'
import { links, type RepositoryPath } from '../../../links.ts'
import { icon, time } from '../../../parts/basics.ts'
import { shortId } from '../../../parts/code/code-head.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { diffWords } from '../../../words/diff.ts'
import { wikiWords as words } from '../../../words/wiki.ts'

interface CommitPath extends RepositoryPath {
  readonly sha: string
}

const wikiCommitPage = page({
  path: '/:owner/:repo/wiki/commit/:sha',
  load: async (visit: PageVisit<CommitPath>) => {
    const { ask, params, query } = visit
    const view = await loadRepository(visit)
    const commit = await ask('repoGetWikiCommit', { ...params, whitespace: whitespaceOf(query) })
    return { view, commit, diff: diffOfAnswer(visit, commit.difference) }
  },
  show: ({ view, commit, diff }, visit) =>
    inRepository(view, 'wiki', visit, {
      title: subjectOf(commit.message),
      isWide: true,
      islands: ['diff.ts'],
      body: html`${heading(view, commit, visit)}<h2 class="unseen">${diffWords.files}</h2>${diffView(visit, { diff })}`,
    }),
})

type Commit = ResponseOf<'repoGetWikiCommit'>

function heading({ repo }: RepositoryView, { message, author, sha }: Commit, visit: PageVisit): Html {
  return html`<section class="box"><header class="box-head"><h1>${subjectOf(message)}</h1><a class="button" href="${links.of(repo, 'wiki', '_pages')}">${icon('book-open')}${words.allPages}</a></header>
<div class="box-text spread quiet-text"><span><strong>${author.name}</strong> ${words.changed} ${time(author.date, visit.ctx.now())}</span><span class="grow"></span><code title="${sha}">${shortId(sha)}</code></div></section>`
}

export const wikiCommitPages: readonly Page[] = [wikiCommitPage]
