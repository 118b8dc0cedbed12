/** Comparison of two branches, and the form for a pull request. */
import {
  type FormVisit,
  type Html,
  html,
  nothing,
  type Page,
  type PageVisit,
  page,
  Redirect,
} from '#platform/page'
import { type Diff, diffOfAnswer, whitespaceOf } from '../../diff/source.ts'
import { diffView } from '../../diff/view.ts'
import type { Compare, PullRequest } from '../../gen/contract.ts'
import { links } from '../../links.ts'
import { commitRows } from '../../parts/code/commit-list.ts'
import { button } from '../../parts/forms.ts'
import { CREATES_PULL, createPull } from '../../parts/pulls/create-pull.ts'
import { loadNewPull, type NewPullView, newPull } from '../../parts/pulls/new-pull.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { compareWords as words } from '../../words/diff.ts'

interface ComparePath {
  readonly owner: string
  readonly repo: string
  readonly basehead: string
}

interface Compared {
  readonly diff: Diff
  readonly compare: Compare
  readonly pull: PullRequest | undefined
  readonly opening: NewPullView | undefined
}

interface CompareView {
  readonly view: RepositoryView
  readonly base: string
  readonly head: string
  readonly branches: readonly string[]
  /** Null if both sides are equal. */
  readonly compared: Compared | null
}

const BRANCHES_MAX = 50

/** The form for choosing branches redirects to the address of the comparison. */
const choosePage = page({
  path: '/:owner/:repo/compare',
  load: async (visit) => {
    const { repo } = await loadRepository(visit)
    const base = visit.query.get('base') || repo.default_branch
    throw new Redirect(links.compare(repo, base, visit.query.get('head') || base), 303)
  },
  show: () => ({ title: words.title, body: nothing }),
})

const comparePage = page({
  path: '/:owner/:repo/compare/*basehead',
  load: loadCompare,
  show: (it, visit) =>
    inRepository(it.view, 'pulls', visit, {
      title: `${words.title} ${it.base}...${it.head}`,
      isWide: true,
      isFixed: isOid(it.base) && isOid(it.head),
      islands: ['diff.ts'],
      body: html`<h1>${words.title}</h1>${picker(it)}${it.compared === null ? html`<div class="empty"><p class="empty-title">${words.same}</p></div>` : comparison(visit, it, it.compared)}`,
    }),
  forms: { create: { does: CREATES_PULL, handle: create } },
})

async function loadCompare(visit: PageVisit<ComparePath>): Promise<CompareView> {
  const { list, params } = visit
  const { owner, repo } = params
  const view = await loadRepository(visit)
  const sides = sidesOf(params.basehead, view.repo.default_branch)
  const branches = view.repo.empty
    ? []
    : (await list('repoListBranches', { owner, repo, limit: BRANCHES_MAX })).items
  const compared = sides.base === sides.head ? null : await compareSides(visit, view, sides)
  return { view, ...sides, branches: branches.map(({ name }) => name), compared }
}

/** A full object id. */
function isOid(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)
}

interface Names {
  readonly base: string
  readonly head: string
  readonly dots: string
}

/** A head alone is compared with the default branch. */
function sidesOf(basehead: string, otherwise: string): Names {
  const [, base = otherwise, dots = '...', head = otherwise] =
    /^(?:(.+?)(\.{2,3}))?(.+)$/s.exec(basehead) ?? []
  return { base, dots, head }
}

async function compareSides(
  visit: PageVisit<ComparePath>,
  view: RepositoryView,
  { base, dots, head }: Names,
): Promise<Compared> {
  const { ask, maybe, query } = visit
  const { owner, repo } = visit.params
  const basehead = `${base}${dots}${head}`
  const [difference, compare, pull] = await Promise.all([
    ask('repoGetComparedDiff', { owner, repo, basehead, whitespace: whitespaceOf(query) }),
    ask('repoCompareDiff', { owner, repo, basehead }),
    maybe('repoGetPullRequestByBaseHead', { owner, repo, base, head }),
  ])
  const diff = diffOfAnswer(visit, difference)
  const isOpenable = pull?.state !== 'open' && (await areBranches(visit, [base, head]))
  const opening = isOpenable ? await loadNewPull(visit, view, { head, compare }) : undefined
  return { diff, compare, pull, opening }
}

/** A pull request has branches, not tags or commits; those of forks were resolved by the comparison. */
async function areBranches(
  { exists, params: { owner, repo } }: PageVisit<ComparePath>,
  names: readonly string[],
): Promise<boolean> {
  const own = names.filter((name) => !name.includes(':'))
  const found = own.map((branch) => exists('repoGetBranch', { owner, repo, branch }))
  return (await Promise.all(found)).every(Boolean)
}

function picker({ view: { repo }, base, head, branches }: CompareView): Html {
  const side = (name: 'base' | 'head', value: string) =>
    html`<label>${words[name]} <input name="${name}" value="${value}" list="branches" maxlength="300"></label>`
  return html`<form class="actions compare" action="${links.of(repo, 'compare')}">${side('base', base)}${side('head', head)}${button(words.compare)}
<datalist id="branches">${branches.map((it) => html`<option value="${it}"></option>`)}</datalist></form><p class="help">${words.help}</p>`
}

function comparison(visit: PageVisit, it: CompareView, compared: Compared): Html {
  const { repo } = it.view
  const { compare, diff } = compared
  const { commits, total_commits: total } = compare
  const rows = commitRows(commits, { now: visit.ctx.now(), to: (sha) => links.commit(repo, sha) })
  return html`${opening(visit, it, compared)}<details class="box" open><summary class="box-head"><h2>${words.commitCount(total)}</h2></summary>${rows}${
    commits.length < total && html`<p class="box-text">${words.more(commits.length, total)}</p>`
  }</details>${diffView(visit, { diff })}`
}

function opening(visit: PageVisit, { view }: CompareView, { pull, opening }: Compared): Html {
  const { repo, may } = view
  if (pull !== undefined && pull.state === 'open')
    return html`<p class="flash">${words.there} <a href="${links.pull(repo, pull.number)}">#${pull.number} ${pull.title}</a></p>`
  if (visit.ctx.actor === null && may.pulls.read) return html`<p class="flash">${words.signIn}</p>`
  return opening === undefined ? nothing : newPull(visit, view, opening)
}

async function create(visit: FormVisit<ComparePath>): Promise<string> {
  const { owner, repo } = visit.params
  const { default_branch } = await visit.ask('repoGet', { owner, repo })
  return createPull(visit, sidesOf(visit.params.basehead, default_branch))
}

export const comparePages: readonly Page[] = [choosePage, comparePage]
