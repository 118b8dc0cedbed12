/** Shows the REST calls of a form instead of executing them. */
import { type Html, html, nothing, type PageVisit, type Rendered } from '#platform/page'
import { sameWith } from './links.ts'
import { icon } from './parts/basics.ts'
import { curl as words } from './words/site.ts'

export function curlPage(visit: PageVisit, commands: string): Rendered {
  return {
    title: words.title,
    body: html`<div class="settings"><h1>${words.title}</h1><p>${words.help}</p>
<pre class="code" tabindex="0" aria-label="${words.commands}">${commands}</pre>
<p class="actions"><button type="button" class="button primary" data-copy="${commands}">${icon('copy')}${words.copy}</button><a class="button" href="${without(visit)}">${words.back}</a></p></div>`,
  }
}

/** Note on a page in dry-run mode, whose buttons show their REST calls; also works without JavaScript. */
export function dryRunNote(visit: PageVisit): Html {
  if (!isDryRun(visit)) return nothing
  return html`<p class="flash" role="status">${icon('terminal')} ${words.note} <a href="${without(visit)}">${words.leave}</a></p>`
}

export function dryRunLink(visit: PageVisit): string {
  return sameWith(visit, { act: 'curl' })
}

function isDryRun({ query }: PageVisit): boolean {
  return query.get('act') === 'curl'
}

function without(visit: PageVisit): string {
  return sameWith(visit, { act: undefined })
}
