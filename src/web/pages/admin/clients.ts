/** Clients that asked for most in the last hour. */
import type { ClientSum } from '#platform/client-use'
import { type Html, html, type Page, page } from '#platform/page'
import { links } from '../../links.ts'
import { empty } from '../../parts/basics.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { adminWords as words } from '../../words/admin.ts'

const clientsPage = page({
  path: '/-/admin/monitor/clients',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'clients')
    return { frame, clients: await visit.ask('adminListClients', {}) }
  },
  show: ({ frame, clients }) =>
    frame({
      title: words.clients,
      body: html`<h1>${words.clients}</h1><p>${words.clientsHelp}</p>${clients.length === 0 ? empty(words.noClients) : clientTable(clients)}`,
    }),
})

function clientTable(clients: readonly ClientSum[]): Html {
  const columns = [words.client, words.clientKind, words.gitTime, words.requests, words.refused, words.routes]
  return html`<div class="box scrolls wide" tabindex="0" role="group" aria-label="${words.clients}"><table class="list"><thead><tr>${columns.map((it) => html`<th scope="col">${it}</th>`)}</tr></thead>
<tbody>${clients.map(
    (it) =>
      html`<tr><th scope="row">${nameOf(it)}</th><td>${words.lanes[it.lane]}</td><td>${secondsOf(it)}</td><td>${it.requests}</td><td>${it.refused}</td><td class="wraps">${it.routes.map((one) => html`<div><code>${one.route}</code> ${one.requests}, ${secondsOf(one)}</div>`)}</td></tr>`,
  )}</tbody></table></div>`
}

function nameOf({ lane, client }: ClientSum): Html {
  return lane === 'person'
    ? html`<a href="${links.adminOf('users', client)}">${client}</a>`
    : html`<code>${client}</code>`
}

function secondsOf({ git_ms }: { readonly git_ms: number }): string {
  return `${(git_ms / 1000).toFixed(1)} s`
}

export const clientPages: readonly Page[] = [clientsPage]
