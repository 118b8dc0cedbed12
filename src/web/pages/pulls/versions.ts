/** Comparison of two versions of a pull request: the interdiff, and how commits correspond (range-diff). */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import { notFound } from '#platform/problem'
import { diffOfText } from '../../diff/source.ts'
import { diffView } from '../../diff/view.ts'
import type { PullVersion } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { pullWords as words } from '../../words/pulls.ts'
import { inPull } from './frame.ts'
import { indexOf, loadPull, type PullPath, type PullView } from './load.ts'

interface VersionsPath extends PullPath {
  readonly span: string
}

const versionsPage = page({
  path: '/:owner/:repo/pulls/:index/versions/:span',
  load: loadVersions,
  show: (it, visit) =>
    inPull(it, 'files', visit, {
      title: words.between(it.base, it.head),
      isWide: true,
      islands: ['diff.ts'],
      body: html`<h2>${words.between(it.base, it.head)}</h2>${picker(it)}${it.isPlain && html`<p class="flash warn">${words.plain}</p>`}<details class="box"><summary class="box-head"><h3>${words.rangeDiff}</h3></summary><pre class="box-text">${it.commits}</pre></details>${diffView(visit, { diff: it.diff })}`,
    }),
})

async function loadVersions(visit: PageVisit<VersionsPath>) {
  const { ask, list, params } = visit
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(params.span) ?? []
  if (from === undefined || to === undefined) throw notFound('versions', params.span)
  const it = await loadPull(visit)
  const given = indexOf(params)
  const [base, head] = [Number(from), Number(to)]
  const [{ diff, plain }, { items: versions }, commits] = await Promise.all([
    ask('repoComparePullVersions', { ...given, base, head }),
    list('repoListPullVersions', given),
    ask('pullGetRangeDiff', { ...given, base, head }),
  ])
  return { ...it, base, head, versions, commits, diff: diffOfText(diff), isPlain: plain }
}

interface Between extends PullView {
  readonly base: number
  readonly head: number
  readonly versions: readonly PullVersion[]
}

/** Every pair of versions has an address. */
function picker({ versions, base, head, pull, view: { repo } }: Between): Html {
  const to = (a: number, b: number) => links.pull(repo, pull.number, 'versions', `${a}..${b}`)
  const one = (version: number, isCurrent: boolean, href: string) =>
    html`<a class="button" href="${href}"${isCurrent && html` aria-current="true"`}>${version}</a>`
  const numbers = versions.map(({ version }) => version).slice(-20)
  return html`<nav class="actions" aria-label="${words.what}"><span>${words.from}</span><span class="buttons">${numbers.map((it) => one(it, it === base, to(it, head)))}</span><span>→</span><span class="buttons">${numbers.map((it) => one(it, it === head, to(base, it)))}</span></nav>`
}

export const versionsPages: readonly Page[] = [versionsPage]
