/** Packages of an account or a repository. */
import { type Html, html, type Page, type PageVisit, page } from '#platform/page'
import type { Package } from '../../gen/contract.ts'
import { links, local, path } from '../../links.ts'
import { inAccount, loadAccountHead } from '../../parts/account.ts'
import { empty, icon, pill, time } from '../../parts/basics.ts'
import { field, select } from '../../parts/forms.ts'
import { pageNumber, pager } from '../../parts/pager.ts'
import { inRepository, loadRepository } from '../../parts/repository.ts'
import { packageWords as words } from '../../words/packages.ts'

const LIMIT = 30
const TYPES = ['', 'container', 'generic', 'npm', 'pypi']

async function loadPackages(visit: PageVisit<{ owner: string }>) {
  const { items, total } = await visit.list('listPackages', askedOf(visit))
  return { packages: items, total }
}

function askedOf(visit: PageVisit<{ owner: string }>) {
  const { query, params } = visit
  return {
    owner: params.owner,
    page: pageNumber(visit),
    limit: LIMIT,
    type: query.get('type') || undefined,
    q: query.get('q') || undefined,
  }
}

const ownersPage = page({
  path: '/:owner/-/packages',
  requiresSignIn: true,
  load: async (visit) => {
    const head = await loadAccountHead(visit, visit.params.owner)
    return { head, ...(await loadPackages(visit)) }
  },
  show: ({ head, packages, total }, visit) =>
    inAccount(head, 'packages', {
      title: words.title,
      hidesHeading: true,
      body: list(visit, packages, total, head.owner.login),
    }),
})

/** Packages of the owner that are linked to the repository. */
const repositorysPage = page({
  path: '/:owner/:repo/packages',
  requiresSignIn: true,
  load: async (visit) => {
    const view = await loadRepository(visit)
    // Packages belong to the owner: viewers who may not see the owner get none.
    return { view, packages: (await visit.maybe('listPackages', askedOf(visit))) ?? [] }
  },
  show: ({ view, packages }, visit) => {
    const own = packages.filter(({ repository }) => repository?.id === view.repo.id)
    return inRepository(view, 'packages', visit, {
      title: words.title,
      hidesHeading: true,
      body: list(visit, own, own.length, view.repo.owner.login),
    })
  },
})

function list(visit: PageVisit, packages: readonly Package[], total: number, owner: string): Html {
  const { query, ctx } = visit
  const filter = html`<form class="spread" action="${visit.path}">
${field({ name: 'q', label: words.search, value: query.get('q') ?? '' })}
${select({ name: 'type', label: words.type, options: TYPES.map((it) => [it, it || words.allTypes] as const), value: query.get('type') ?? '' })}
<button class="button">${words.find}</button></form>`
  if (packages.length === 0 && query.size === 0) return nothingYet(visit, owner)
  const one = (
    it: Package,
  ) => html`<li class="row">${icon('package')}<div class="grow"><a class="title" href="${local(it.html_url)}">${it.name}</a> ${pill(it.type)}
<p class="row-facts"><span>${it.version} · ${time(it.created_at, ctx.now())} ${it.creator && words.by(it.creator.login)}</span></p></div>
${it.repository && html`<a href="${links.repository(it.repository)}">${it.repository.full_name}</a>`}</li>`
  return html`${filter}${
    packages.length === 0
      ? empty(words.noneMatch)
      : html`<div class="box"><ul class="rows dense" data-list>${packages.map(one)}</ul></div>${pager(visit, total, LIMIT)}`
  }`
}

function nothingYet({ ctx }: PageVisit, owner: string): Html {
  const address = `${ctx.site.url}${path('api', 'packages', owner, 'generic', 'tool', '1.0.0', 'tool.bin')}`
  return empty(
    words.none,
    html`<p>${words.noneHelp}</p><pre class="command">curl -u ${owner} -T tool.bin ${address}</pre>`,
  )
}

export const packageListPages: readonly Page[] = [ownersPage, repositorysPage]
