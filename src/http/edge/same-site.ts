/**
 * Whether a request that changes something comes from a page of this forge. Browsers say so themselves: in `Sec-Fetch-Site`,
 * and the older ones in `Origin`. So no form carries a token that could expire while somebody writes.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '#platform/problem'
import type { Site } from '#platform/site'

export function assertSameSite(headers: Readonly<IncomingHttpHeaders>, site: Site): void {
  const from = headers['sec-fetch-site']
  const isOwn = from === undefined ? isOwnOrigin(headers, site) : from === 'same-origin' || from === 'none'
  if (!isOwn) throw new Problem('forbidden', 'request was sent by another site')
}

/** A client without either header is no browser, and no browser sends its cookies for somebody else. */
function isOwnOrigin({ origin, host }: Readonly<IncomingHttpHeaders>, site: Site): boolean {
  if (origin === undefined) return true
  return origin === new URL(site.url).origin || origin === `http://${host}`
}
