/** The URL of a remote repository: parsed, stripped of credentials, and checked against the allowed hosts. */
import type { Remote } from '#git'
import type { Context } from '#platform/context'
import { type Credentials, takeCredentials } from '#platform/outbound'
import { invalid, Problem } from '#platform/problem'

interface SourceCredentials extends Credentials {
  /** The API is asked with them by turns; git uses the first. */
  readonly tokens?: readonly string[]
}

export interface Source {
  /** Without credentials. */
  readonly url: string
  readonly credentials: SourceCredentials
}

/** The user name with which hosts accept a token as password. */
const TOKEN_USER = 'oauth2'
export const SEALED_FOR = 'credentials of a remote'

interface Given {
  readonly username?: string
  readonly password?: string
  readonly token?: string
  readonly tokens?: readonly string[]
}

export function readSource(address: string, given: Given): Source {
  const url = URL.parse(address.trim())
  if (url === null || url.protocol === 'file:')
    throw invalid('you are not allowed to import local repositories')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw invalid('the provided URL is invalid')
  const written = takeCredentials(url)
  url.hash = ''
  const tokens = [given.token ?? '', ...(given.tokens ?? [])].filter((it) => it !== '')
  const [token] = tokens
  const credentials =
    token === undefined
      ? { username: given.username || written.username, password: given.password || written.password }
      : { username: given.username || TOKEN_USER, password: token, tokens }
  return { url: url.href, credentials }
}

/** The address of another server of the source, such as one for Git LFS. `field` names it in messages. */
export function readEndpoint(field: string, address: string): string {
  const { url, credentials } = readSource(address, {})
  if (credentials.username !== '' || credentials.password !== '')
    throw invalid(`${field} must not contain credentials`)
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

export function sealCredentials(ctx: Context, credentials: SourceCredentials): string {
  return ctx.seal.seal(SEALED_FOR, JSON.stringify(credentials))
}

export function remoteOf(ctx: Context, row: { readonly url: string; readonly credentials: string }): Remote {
  const { username, password } = openCredentials(ctx, row.credentials)
  return { url: row.url, username, password }
}

export function openCredentials(ctx: Context, sealed: string): SourceCredentials {
  return JSON.parse(ctx.seal.open(SEALED_FOR, sealed)) as SourceCredentials
}
