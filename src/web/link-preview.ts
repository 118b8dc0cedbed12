/**
 * Open Graph: what chats and other sites show of a link. They ask without an account, so only anonymous clients get it.
 */
import { type Html, html, nothing, type PageVisit, type Rendered } from '#platform/page'

const DESCRIPTION_MAX = 200

export function linkPreview({ ctx, path }: PageVisit, { title, description = '' }: Rendered): Html {
  if (ctx.actor !== null) return nothing
  const text = shortened(description)
  const facts = {
    title,
    type: 'website',
    site_name: ctx.site.name,
    url: ctx.site.url + path,
    description: text,
  }
  const tags = Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<meta property="og:${name}" content="${value}">`)
  return html`${tags}${text !== '' && html`<meta name="description" content="${text}">`}`
}

function shortened(text: string): string {
  const line = text
    .slice(0, 4 * DESCRIPTION_MAX)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > DESCRIPTION_MAX ? `${line.slice(0, DESCRIPTION_MAX - 1).trimEnd()}…` : line
}
