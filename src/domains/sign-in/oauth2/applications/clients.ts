/** Finds the application of a client id, and checks the addresses that it may send browsers to. */
import { ALL } from '#domains/code/keys'
import type { Context } from '#platform/context'
import type { ApplicationRow } from '../tables.ts'

const CLIENT_ID_MAX = 100

/** Undefined also for an application of a suspended account, or one of the forge that the settings switch off. */
export async function findClient(ctx: Context, clientId: string): Promise<ApplicationRow | undefined> {
  if (clientId === '' || clientId.length > CLIENT_ID_MAX || clientId.includes('\0')) return undefined
  const row = await ctx.db
    .selectFrom('oauth2_application')
    .leftJoin('account', 'account.id', 'oauth2_application.account_id')
    .selectAll('oauth2_application')
    .select('account.is_suspended')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (row === undefined || row.is_suspended) return undefined
  const isOff = row.account_id === null && !ctx.config['oauth2.built_in_applications'].includes(row.name)
  return isOff ? undefined : row
}

/** Applications of the forge that are for git alone; `tea` is for the whole API. */
const GIT_HELPERS: ReadonlySet<string> = new Set(['git-credential-oauth', 'Git Credential Manager'])

/** For a request without scopes. Compat: full access, which Woodpecker and others rely on. */
export function defaultScopes({ account_id, name }: ApplicationRow): readonly string[] {
  return account_id === null && GIT_HELPERS.has(name) ? ['write:repository'] : [ALL]
}

/**
 * Whether the application may send browsers there: exactly an address that it registered. A program on the user's machine
 * chooses a free port, so a loopback address of a public client has any port (RFC 8252, section 7.3).
 */
export function isRegistered(
  { redirect_uris, is_confidential }: ApplicationRow,
  redirectUri: string,
): boolean {
  // A fragment would hide the code from the server there, and swallow what is appended.
  if (redirectUri.includes('#') || !URL.canParse(redirectUri)) return false
  if (redirect_uris.includes(redirectUri)) return true
  const wanted = is_confidential ? undefined : withoutPort(redirectUri)
  return wanted !== undefined && redirect_uris.some((it) => withoutPort(it) === wanted)
}

/**
 * Whether an application names the same address again when it exchanges a code; null where it left it out.
 *
 * Compat: the port of a public client's loopback address may differ, because `tea` sends the one that it asked the system
 * for. PKCE binds the code to the program there.
 */
export function isSameRedirect(
  { is_confidential }: ApplicationRow,
  asked: string | null,
  now: string | null,
): boolean {
  if (asked === now) return true
  if (is_confidential || asked === null || now === null) return false
  const address = withoutPort(asked)
  return address !== undefined && address === withoutPort(now)
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]'])

/** Undefined for an address that is not of this machine, or that has a user name in it. */
function withoutPort(address: string): string | undefined {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' || !LOOPBACK.has(url.hostname)) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  url.port = ''
  return url.href
}

/** The address with these parameters added to its query. */
export function withParams(address: string, params: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address)
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) added.set(name, value)
  url.search = url.search === '' ? `${added}` : `${url.search.slice(1)}&${added}`
  return url.href
}
