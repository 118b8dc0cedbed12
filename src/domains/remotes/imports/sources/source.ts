/** The address of a repository somewhere else: read, stripped of its secrets, and held against what may be called. */
import type { Remote } from '#git'
import type { Context } from '#platform/context'
import { type Credentials, takeCredentials } from '#platform/outbound'
import { invalid, Problem } from '#platform/problem'

export interface Source {
  /** Without credentials. */
  readonly url: string
  readonly credentials: Credentials
}

/** Hosts take a token as the password of this user. */
const TOKEN_USER = 'oauth2'
const SEALED_FOR = 'credentials of a remote'

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

/** Asked before anything is promised; git asks again each time it calls. */
export async function assertCallable(ctx: Context, url: string): Promise<void> {
  await ctx.outbound.resolve(url).catch((error: unknown) => {
    if (error instanceof Problem && error.kind === 'invalid')
      throw invalid('you can not import from disallowed hosts', error.details)
    // A name that cannot be resolved now is the fault of the source, and found out when it is called.
    if (!(error instanceof Problem)) throw error
  })
}

export function sealCredentials(ctx: Context, credentials: Credentials): string {
  return ctx.seal.seal(SEALED_FOR, JSON.stringify(credentials))
}

export function remoteOf(ctx: Context, row: { readonly url: string; readonly credentials: string }): Remote {
  return { url: row.url, ...(JSON.parse(ctx.seal.open(SEALED_FOR, row.credentials)) as Credentials) }
}
