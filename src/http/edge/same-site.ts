/**
 * Whether a request that changes something comes from a page of this forge. Browsers report that in `Sec-Fetch-Site`, and
 * older ones in `Origin`. So no form needs a CSRF token, which could expire while the user writes.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '#platform/problem'
import type { Site } from '#platform/site'

export function assertSameSite(headers: Readonly<IncomingHttpHeaders>, site: Site): void {
  const from = headers['sec-fetch-site']
  const isOwn = from === undefined ? isOwnOrigin(headers, site) : from === 'same-origin' || from === 'none'
  if (!isOwn) throw new Problem('forbidden', 'request was sent by another site')
}

/** A client without either header is not a browser, so it does not send another user's cookies. */
function isOwnOrigin({ origin, host }: Readonly<IncomingHttpHeaders>, site: Site): boolean {
  if (origin === undefined) return true
  return origin === new URL(site.url).origin || origin === `http://${host}`
}
