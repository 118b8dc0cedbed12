/** From a URL to one checked address: every name is resolved here, once, and the checked address is the one used. */
import { lookup as lookupName } from 'node:dns/promises'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { invalid, Problem } from '#platform/problem'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>

export interface TargetRules {
  readonly isAllowed: (address: string) => boolean
  /** If not empty, no other host is called. `*.example.org` matches every name below it. */
  readonly allowedHosts: readonly string[]
  /** Names or addresses that are never called. A blocked host stays blocked when it is also allowed. */
  readonly blockedHosts: readonly string[]
  readonly lookup: Lookup
}

export interface Target {
  readonly url: URL
  readonly address: string
  readonly family: 4 | 6
}

/**
 * Valid host names. Programs that get one on their command line would take a leading dash for an option, and a colon or
 * comma for its end.
 */
const NAME = /^(?!-)[a-z0-9.-]{1,253}$/

export const systemLookup: Lookup = (host) => lookupName(host, { all: true, order: 'verbatim' })

export async function resolveTarget(text: string | URL, rules: TargetRules): Promise<Target> {
  const url = parseUrl(text)
  const host = hostOf(url)
  if (isIP(host) === 0 && !NAME.test(host)) throw invalid('invalid host name', { host })
  if (rules.allowedHosts.length > 0 && !matches(host, rules.allowedHosts)) {
    throw invalid('host is not in the allow list', { host })
  }
  if (matches(host, rules.blockedHosts)) throw invalid('host is blocked', { host })
  // A literal address needs no resolver, and the URL parser has already normalized its spelling.
  const addresses = isIP(host) === 0 ? await resolveName(host, rules.lookup) : [host]
  // Invariant: one refused address refuses the name; otherwise a second DNS answer could lead to an internal address.
  for (const address of addresses) {
    if (!rules.isAllowed(address) || matches(address, rules.blockedHosts)) {
      throw invalid('address is not allowed', { host, address })
    }
  }
  const [address] = addresses
  if (address === undefined) throw new Problem('unavailable', 'host name has no address', { host })
  return { url, address, family: isIP(address) === 6 ? 6 : 4 }
}

/** The host without the brackets of IPv6 and without the final dot of a fully qualified name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function parseUrl(text: string | URL): URL {
  const url = URL.parse(text)
  if (url === null) throw invalid('invalid URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid('URL must be http or https', { protocol: url.protocol })
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('URL must not contain credentials', { host: hostOf(url) })
  }
  return url
}

async function resolveName(host: string, lookup: Lookup): Promise<string[]> {
  const found = await lookup(host).catch((error: NodeJS.ErrnoException) => {
    throw new Problem('unavailable', 'could not resolve host', { host, code: error.code })
  })
  return found.map(({ address }) => address)
}

function matches(host: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const isWide = pattern.startsWith('*.')
    const name = isWide ? pattern.slice(2) : pattern
    // Normalized as the URL parser does; an IPv6 address is not a name and stays as it is.
    const wanted = domainToASCII(name) || name.toLowerCase()
    return isWide ? host.endsWith(`.${wanted}`) : host === wanted
  })
}
