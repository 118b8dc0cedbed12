/** One change of a wiki: who made it, and what it changed. */
import { openWiki } from '#domains/wiki'
import { type CommitRecord, findCommit, localTime, resolveRevision } from '#git'
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { notFound } from '#platform/problem'
import { diffOf, whitespaceOf } from '../../../diff/source.ts'
import { diffView } from '../../../diff/view.ts'
import { links, type RepositoryPath } from '../../../links.ts'
import { icon, time } from '../../../parts/basics.ts'
import { shortId } from '../../../parts/code/code-head.ts'
import { subjectOf } from '../../../parts/code/commit-line.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../../parts/repository.ts'
import { wikiWords as words } from '../../../words/en/wiki.ts'

interface CommitPath extends RepositoryPath {
  readonly sha: string
}

const wikiCommitPage = page({
  path: '/:owner/:repo/wiki/commit/:sha',
  load: async (visit: PageVisit<CommitPath>) => {
    const { ctx, params, query } = visit
    const view = await loadRepository(visit)
    const { storageId } = await openWiki(visit)
    const found = await resolveRevision(ctx, storageId, params.sha)
    const commit = found && (await findCommit(ctx, storageId, found.oid))
    if (commit === undefined) throw notFound('commit', params.sha)
    const source = { storageId, repo: null, from: commit.parents[0] ?? null, to: commit.oid }
    return { view, commit, diff: await diffOf(ctx, source, whitespaceOf(query)) }
  },
  show: ({ view, commit, diff }, visit) =>
    inRepository(view, 'wiki', visit, {
      title: subjectOf(commit.message),
      isWide: true,
      islands: ['diff.ts'],
      body: html`${heading(view, commit, visit)}${diffView(visit, { diff })}`,
    }),
})

function heading({ repo }: RepositoryView, { message, author, oid }: CommitRecord, visit: PageVisit): Html {
  return html`<section class="box"><header class="box-head"><h2>${subjectOf(message)}</h2><a class="button" href="${links.of(repo, 'wiki', '_pages')}">${icon('book-open')}${words.allPages}</a></header>
<div class="box-text spread quiet-text"><span><strong>${author.name}</strong> ${words.changed} ${time(localTime(author), visit.ctx.now())}</span><span class="grow"></span><code title="${oid}">${shortId(oid)}</code></div></section>`
}

export const wikiCommitPages: readonly Page[] = [wikiCommitPage]
