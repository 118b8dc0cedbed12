/** The OpenID Connect client of a source: `openid-client` with the guarded outbound client and PostgreSQL's clock. */
import type * as OpenId from 'openid-client'
import { type Context, transact } from '#platform/context'
import { guardedFetch } from '../outbound.ts'
import { isPlainAllowed } from '../records/issuer.ts'
import { secretOf } from '../records/sources.ts'
import type { SourceOf } from '../tables.ts'

/** Time after which the discovery document is read again. */
const DISCOVERY_MS = 10 * 60_000
/** Above the maximum of `sources.timeout_ms`, by which the guarded client ends requests. */
const LIBRARY_TIMEOUT_S = 120

/** Loaded with the first sign-in, to save memory on nodes that have none. */
export const openid = () => import('openid-client')

export async function openClient(ctx: Context, source: SourceOf<'oidc'>): Promise<OpenId.Configuration> {
  const library = await openid()
  const { settings } = source
  const isPlain = isPlainAllowed(new URL(settings.issuer))
  const secret = secretOf(ctx, source)
  const auth = secret === '' ? library.None() : library.ClientSecretBasic(secret)
  const metadata = { [library.clockSkew]: skewOf(ctx) }
  const toProvider: OpenId.CustomFetch = (address, init) => guardedFetch(ctx, address, init)
  const { discovered, discovered_at } = source
  const isFresh = discovered_at !== null && ctx.now().getTime() - discovered_at.getTime() < DISCOVERY_MS
  const client =
    isFresh && discovered !== null
      ? new library.Configuration(
          discovered as unknown as OpenId.ServerMetadata,
          settings.client_id,
          metadata,
          auth,
        )
      : await library.discovery(new URL(settings.issuer), settings.client_id, metadata, auth, {
          execute: isPlain ? [library.allowInsecureRequests] : [],
          timeout: LIBRARY_TIMEOUT_S,
          [library.customFetch]: toProvider,
        })
  client[library.customFetch] = toProvider
  client.timeout = LIBRARY_TIMEOUT_S
  if (isPlain) library.allowInsecureRequests(client)
  // Otherwise the library trusts TLS alone, and accepts ID tokens whatever their signature is.
  library.enableNonRepudiationChecks(client)
  if (!isFresh) await keepDiscovered(ctx, source, client)
  return client
}

async function keepDiscovered(
  ctx: Context,
  { id }: SourceOf<'oidc'>,
  client: OpenId.Configuration,
): Promise<void> {
  const discovered = JSON.stringify(client.serverMetadata())
  await transact(ctx, ({ db }) =>
    db
      .updateTable('authentication_source')
      .set({ discovered, discovered_at: ctx.now() })
      .where('id', '=', id)
      .execute(),
  )
}

/** In seconds, from the clock of this machine to PostgreSQL's. */
function skewOf(ctx: Context): number {
  return Math.round((ctx.now().getTime() - (performance.timeOrigin + performance.now())) / 1000)
}
