/** Which addresses the forge may call. An address is refused unless a table here says otherwise. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `local` is reachable when the installation allows private addresses; `refused` never is. */
export type AddressKind = 'public' | 'local' | 'refused'

const IPV4_KINDS: Partial<Record<string, AddressKind>> = {
  unicast: 'public',
  loopback: 'local',
  private: 'local',
  carrierGradeNat: 'local',
}
const IPV6_KINDS: Partial<Record<string, AddressKind>> = {
  unicast: 'public',
  loopback: 'local',
  uniqueLocal: 'local',
}
/**
 * Services of cloud platforms that hand out credentials to any program on the machine. The best known one,
 * 169.254.169.254, is refused with all of link-local; these are in ranges that may be allowed.
 */
const PLATFORM_SERVICES = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'])
/** The only IPv6 space assigned for public use. It excludes `::a.b.c.d`, which the library calls unicast. */
const IPV6_PUBLIC_SPACE = ipaddr.parseCIDR('2000::/3')
/** Gateways translate these to the IPv4 address in the last 32 bits, so that address is checked. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

/** Classifies an address as a resolver spells it; any other spelling is refused. */
export function kindOf(address: string): AddressKind {
  // A zone names an interface of this machine, which callers must not choose.
  if (isIP(address) === 0 || address.includes('%')) return 'refused'
  return isIP(address) === 4 ? kindOfIpv4(ipaddr.IPv4.parse(address)) : kindOfIpv6(parseIpv6(address))
}

export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const kind = kindOf(address)
  return kind === 'public' || (kind === 'local' && allowPrivate)
}

/** Through the URL parser, which spells it without dots: `ipaddr.js` takes `::1.2.3.4` for `::ffff:1.2.3.4`. */
function parseIpv6(address: string): ipaddr.IPv6 {
  return ipaddr.IPv6.parse(new URL(`http://[${address}]`).hostname.slice(1, -1))
}

function kindOfIpv4(ip: ipaddr.IPv4): AddressKind {
  if (PLATFORM_SERVICES.has(ip.toString())) return 'refused'
  return IPV4_KINDS[ip.range()] ?? 'refused'
}

function kindOfIpv6(ip: ipaddr.IPv6): AddressKind {
  if (ip.isIPv4MappedAddress() || ip.match(NAT64)) return kindOfIpv4(lastIpv4(ip))
  if (PLATFORM_SERVICES.has(ip.toRFC5952String()) || isIsatap(ip)) return 'refused'
  const kind = IPV6_KINDS[ip.range()] ?? 'refused'
  return kind === 'public' && !ip.match(IPV6_PUBLIC_SPACE) ? 'refused' : kind
}

function lastIpv4(ip: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(ip.toByteArray().slice(-4))
}

/** A tunnel to the IPv4 address in the last 32 bits, recognized by its interface part under any prefix. */
function isIsatap(ip: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = ip.parts
  return (high === 0 || high === 0x0200) && low === 0x5efe
}
