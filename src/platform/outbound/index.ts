/**
 * Outbound: the one client for all requests of the forge (webhooks, migrations, mirrors, avatars).
 *
 * A URL comes from a user, so it may point anywhere, also to internal services. Each hop is parsed, resolved once,
 * checked address by address, and connected to the address that was checked. Refusals are `invalid`; a remote that cannot
 * be reached or is late is `unavailable`; an answer above its limit is `too_large`.
 */
import { isAllowedAddress } from './addresses.ts'
import { type OutboundClient, type OutboundLimits, openClient } from './client.ts'
import { type Lookup, systemLookup } from './target.ts'

export type { OutboundAnswer, OutboundClient, OutboundRequest } from './client.ts'
export { type Credentials, takeCredentials } from './credentials.ts'
export { JSON_BYTES_MAX, readJson } from './read-json.ts'

export interface OutboundOptions extends OutboundLimits {
  /** Allows loopback, private and carrier-grade NAT addresses; link-local and metadata addresses never. */
  readonly allowPrivate: boolean
  /** If not empty, no other host is called. Addresses are checked all the same. */
  readonly allowedHosts?: readonly string[]
  readonly blockedHosts?: readonly string[]
  readonly lookup?: Lookup
  /** Names the running trace to the service that is called. */
  readonly traceparent?: () => string | undefined
}

export function openOutbound(options: OutboundOptions): OutboundClient {
  const { allowPrivate, allowedHosts = [], blockedHosts = [], lookup = systemLookup } = options
  const isAllowed = (address: string) => isAllowedAddress(address, allowPrivate)
  return openClient({ ...options, allowedHosts, blockedHosts, lookup, isAllowed })
}
