/**
 * Outbound: the one client for everything that leaves the forge (webhooks, migrations, mirrors, avatars).
 *
 * A URL comes from a user, so it may point anywhere, also inside. Each hop is parsed, resolved once, checked
 * address by address, and connected to the address that was checked. Refusals are `invalid`; a far side that
 * cannot be reached or is late is `unavailable`; an answer over its bound is `too_large`.
 */
import { isAllowedAddress } from './addresses.ts'
import { type OutboundClient, type OutboundLimits, openClient } from './client.ts'
import { type Lookup, systemLookup } from './target.ts'

export type { OutboundAnswer, OutboundClient, OutboundRequest } from './client.ts'
export { type Credentials, takeCredentials } from './credentials.ts'
export { JSON_BYTES_MAX, readJson } from './read-json.ts'

export interface OutboundOptions extends OutboundLimits {
  /** Lets loopback, private and carrier-grade addresses through; link-local and metadata never. */
  readonly allowPrivate: boolean
  /** When there are any, no other host is called. They widen nothing: addresses are checked all the same. */
  readonly allowedHosts?: readonly string[]
  readonly blockedHosts?: readonly string[]
  readonly lookup?: Lookup
}

export function openOutbound(options: OutboundOptions): OutboundClient {
  const { allowPrivate, allowedHosts = [], blockedHosts = [], lookup = systemLookup } = options
  const isAllowed = (address: string) => isAllowedAddress(address, allowPrivate)
  return openClient({ ...options, allowedHosts, blockedHosts, lookup, isAllowed })
}
