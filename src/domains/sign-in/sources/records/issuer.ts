/** Which addresses an issuer may have. */
import { invalid } from '#platform/problem'

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Encrypted, so that no host on the way reads or changes answers; a provider on this machine may do without. */
export function assertIssuer(text: string): void {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw invalid('issuer is invalid', { issuer: text })
  if (url.protocol !== 'https:' && !isPlainAllowed(url))
    throw invalid('issuer must be https', { issuer: text })
}

/** Browsers are sent there; it may have a query. */
export function assertPage(text: string): void {
  const url = URL.parse(text)
  const isEncrypted = url !== null && (url.protocol === 'https:' || isPlainAllowed(url))
  if (url === null || url.hash !== '' || url.username !== '' || url.password !== '' || !isEncrypted)
    throw invalid('sso_url must be an https address')
}

export function isPlainAllowed({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.has(hostname)
}
