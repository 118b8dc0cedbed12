/** The URL of a remote repository: parsed, stripped of credentials, and checked against the allowed hosts. */
import type { Remote } from '#git'
import type { Context } from '#platform/context'
import { type Credentials, takeCredentials } from '#platform/outbound'
import { invalid, Problem } from '#platform/problem'

export interface Source {
  /** Without credentials. */
  readonly url: string
  readonly credentials: Credentials
}

/** The user name with which hosts accept a token as password. */
const TOKEN_USER = 'oauth2'
export const SEALED_FOR = 'credentials of a remote'

export function readSource(
  address: string,
  given: { readonly username?: string; readonly password?: string; readonly token?: string },
): Source {
  const url = URL.parse(address.trim())
  if (url === null || url.protocol === 'file:')
    throw invalid('you are not allowed to import local repositories')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid('the provided URL is invalid')
  const written = takeCredentials(url)
  url.hash = ''
  const credentials =
    given.token === undefined || given.token === ''
      ? { username: given.username || written.username, password: given.password || written.password }
      : { username: given.username || TOKEN_USER, password: given.token }
  return { url: url.href, credentials }
}

/** The address of an LFS server. It gets the credentials of the remote if it is on the same host, and no others. */
export function readEndpoint(address: string): string {
  const { url, credentials } = readSource(address, {})
  if (credentials.username !== '' || credentials.password !== '')
    throw invalid('lfs_endpoint must not contain credentials')
  return url
}

/** Checked before the import is accepted; git checks again on every call. */
export async function assertCallable(ctx: Context, url: string): Promise<void> {
  await ctx.outbound.resolve(url).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'invalid')
      throw invalid('you can not import from disallowed hosts', error.details)
    // A name that cannot be resolved is a failure of the source, reported when it is called.
    if (!(error instanceof Problem)) throw error
  })
}

export function sealCredentials(ctx: Context, credentials: Credentials): string {
  return ctx.seal.seal(SEALED_FOR, JSON.stringify(credentials))
}

export function remoteOf(ctx: Context, row: { readonly url: string; readonly credentials: string }): Remote {
  return { url: row.url, ...(JSON.parse(ctx.seal.open(SEALED_FOR, row.credentials)) as Credentials) }
}
