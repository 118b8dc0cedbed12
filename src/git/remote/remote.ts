/**
 * Git's access to a remote repository: one checked address, only http and https, no redirects, no prompts, and
 * credentials that do not show in process lists.
 */
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'

import { GitFailure } from '../command/run.ts'

export interface Remote {
  /** Without credentials. */
  readonly url: string
  readonly username?: string
  readonly password?: string
}

/** A transfer slower than this for this long is aborted. */
const SLOW_BYTES_A_SECOND = '1'
const SLOW_SECONDS = '60'

/** Environment for one connection to a remote. Resolved anew each time: DNS records change. */
export async function environmentFor(ctx: Context, remote: Remote): Promise<Record<string, string>> {
  const { url, address } = await ctx.outbound.resolve(remote.url)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const pinned = address.includes(':') ? `[${address}]` : address
  const settings: (readonly [string, string])[] = [
    ['safe.directory', '*'],
    ['protocol.allow', 'never'],
    ['protocol.http.allow', 'always'],
    ['protocol.https.allow', 'always'],
    ['protocol.version', '2'],
    // Invariant: git connects to the address that was checked, and the remote cannot redirect it. A literal IP address
    // needs no pin because it is not resolved; and curl's syntax has no pin for a literal IPv6 address.
    ...(url.hostname === pinned
      ? []
      : [['http.curloptResolve', `${url.hostname}:${port}:${pinned}`] as const]),
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', SLOW_BYTES_A_SECOND],
    ['http.lowSpeedTime', SLOW_SECONDS],
    ['credential.helper', ''],
  ]
  const authorization = authorizationOf(remote)
  if (authorization !== undefined) settings.push(['http.extraHeader', `Authorization: ${authorization}`])
  return {
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  }
}

/** The Authorization header, if there is a username or password. */
export function authorizationOf({ username = '', password = '' }: Remote): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** A failure of the remote as a Problem for the caller; other errors are returned unchanged. */
export function explainRemote(error: unknown): unknown {
  if (!(error instanceof GitFailure)) return error
  const { said } = error
  if (/could not read (Username|Password)|Authentication failed|returned error: 40[13]/i.test(said))
    return invalid('Authentication failed: remote rejected the credentials')
  if (/Could not resolve|unable to access|timed out|Connection|RPC failed|early EOF|hung up/i.test(said))
    return new Problem('invalid', 'Migration failed: could not connect to remote', { said })
  return invalid('Migration failed: remote repository not found or not readable', { said })
}
