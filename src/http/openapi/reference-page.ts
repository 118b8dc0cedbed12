/** The reference page: every operation on one page, without scripts or external resources. */
import type { Route } from '#platform/rest'
import { documentPath, inOrder } from './document.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
code{font-size:.9rem}td{padding:.2rem .6rem;vertical-align:top}tr:nth-child(even){background:#8881}
.method{font-weight:600;width:4.5rem}h2{margin-top:2.5rem}`

export function referencePage(routes: readonly Route[]): string {
  const tags = [...new Set(inOrder(routes).map(({ tag }) => tag))].sort()
  const sections = tags.map((tag) => {
    const rows = inOrder(routes)
      .filter((it) => it.tag === tag)
      .map(row)
    return `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2><table>${rows.join('')}</table>`
  })
  const links = tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bloomery API reference</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style>
<h1>API reference</h1><p>Base path <code>/api/v1</code>. Documents: <a href="/openapi.json">OpenAPI 3.1</a>,
<a href="/swagger.v1.json">Swagger 2.0</a>.</p><p>${links.join(' · ')}</p>${sections.join('\n')}</html>`
}

function row(route: Route): string {
  const path = escapeHtml(documentPath(route.path))
  return `<tr><td class="method">${route.method}</td><td><code>${path}</code></td><td>${escapeHtml(route.summary)}</td></tr>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
