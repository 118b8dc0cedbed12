/** Parses the credentials of a request. Pure: nothing is verified here. */
export type Credential =
  | { readonly kind: 'token'; readonly token: string; readonly scheme: 'token' | 'basic' }
  | { readonly kind: 'password'; readonly name: string; readonly password: string }

const QUERY_NAMES = ['token', 'access_token']
/** Sent by old clients in place of a password when the user name is a token. */
const NO_PASSWORD = 'x-oauth-basic'

/** Malformed credentials, which match no account. */
const WRONG: Credential = { kind: 'token', token: '', scheme: 'basic' }

/** In the order they are tried. The first valid one wins, whatever the others are. */
export function credentialsOf(authorization: string | undefined, query: URLSearchParams): Credential[] {
  return [...fromQuery(query), ...fromHeader(authorization)]
}

function fromQuery(query: URLSearchParams): Credential[] {
  for (const name of QUERY_NAMES) {
    const token = query.get(name)
    // Addresses end up in logs and histories, so a token of an OAuth2 application is refused there (RFC 9700, section 4.3.2).
    if (token?.startsWith('goa_')) return [WRONG]
    if (token) return [{ kind: 'token', token, scheme: 'token' }]
  }
  return []
}

function fromHeader(authorization: string | undefined): Credential[] {
  const words = authorization?.trim().split(/\s+/) ?? []
  const [scheme = '', value = ''] = words
  // Compat: a header of any other form is ignored, not an error.
  if (words.length !== 2) return []
  if (/^(token|bearer)$/i.test(scheme)) return [{ kind: 'token', token: value, scheme: 'token' }]
  if (/^basic$/i.test(scheme)) return fromBasic(value)
  return []
}

function fromBasic(encoded: string): Credential[] {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  // No name and no secret contains NUL, and PostgreSQL rejects it in a query.
  if (text.includes('\0')) return [WRONG]
  const colon = text.indexOf(':')
  if (colon < 0) return []
  const name = text.slice(0, colon)
  const password = text.slice(colon + 1)
  if (password === '' || password === NO_PASSWORD) return [{ kind: 'token', token: name, scheme: 'basic' }]
  return [
    { kind: 'token', token: password, scheme: 'basic' },
    { kind: 'password', name, password },
  ]
}
