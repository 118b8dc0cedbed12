/**
 * A repository somewhere else, as git itself is let near it: one address that was checked, http and https and nothing
 * else, no redirects, no prompts, and credentials where no list of processes shows them.
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

/** Slower than this for so long is as good as gone. */
const SLOW_BYTES_A_SECOND = '1'
const SLOW_SECONDS = '60'

/** What git must be told for one talk with a remote. Resolved anew each time: names move. */
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
    // Invariant: what was checked is what is called, and nobody there can send git elsewhere.
    // An address needs no pin, for nobody looks it up; and an IPv6 one cannot have any in the words of curl.
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

/** The header of whoever has a name or a password there. */
export function authorizationOf({ username = '', password = '' }: Remote): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** The other side's fault, in words for whoever asked; anything else stays ours. */
export function explainRemote(error: unknown): unknown {
  if (!(error instanceof GitFailure)) return error
  const { said } = error
  if (/could not read (Username|Password)|Authentication failed|returned error: 40[13]/i.test(said))
    return invalid('Authentication failed: remote rejected the credentials')
  if (/Could not resolve|unable to access|timed out|Connection|RPC failed|early EOF|hung up/i.test(said))
    return new Problem('invalid', 'Migration failed: could not connect to remote', { said })
  return invalid('Migration failed: remote repository not found or not readable', { said })
}
