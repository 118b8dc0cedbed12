/** Cookies: the session cookie of a request, and Set-Cookie headers. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Cookie } from '#platform/page'
import type { Site } from '#platform/site'

const COOKIES_MAX = 50

export function cookiesOf({ cookie = '' }: Readonly<IncomingHttpHeaders>): ReadonlyMap<string, string> {
  const pairs = cookie.split(';', COOKIES_MAX).map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), value.join('=').trim()] as const
  })
  return new Map(pairs.filter(([name]) => name !== ''))
}

/** Behind TLS the `__Host-` prefix makes browsers reject the cookie from other hosts and from plain connections. */
export function cookieName(site: Site, name: string): string {
  return isSecure(site) ? `__Host-${name}` : name
}

export function setCookie(site: Site, { name, value, maxAgeS, isReadable }: Cookie): string {
  const facts = [`${cookieName(site, name)}=${value}`, 'Path=/', 'SameSite=Lax']
  if (!isReadable) facts.push('HttpOnly')
  if (isSecure(site)) facts.push('Secure')
  if (value === '') facts.push('Max-Age=0')
  else if (maxAgeS !== undefined) facts.push(`Max-Age=${maxAgeS}`)
  return facts.join('; ')
}

function isSecure({ url }: Site): boolean {
  return url.startsWith('https:')
}
