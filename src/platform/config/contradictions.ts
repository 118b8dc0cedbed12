/** Settings that are valid alone and wrong together. */
import { BlockList, isIPv6 } from 'node:net'
import type { Config } from './index.ts'

/** Addresses of every network interface: a server can listen on them, and no client can reach them. */
const EVERYWHERE = new BlockList()
EVERYWHERE.addAddress('0.0.0.0')
EVERYWHERE.addAddress('::', 'ipv6')

export function contradictionsIn(config: Config): string[] {
  const host = config['http.host']
  if (config['http.url'] !== '' || !EVERYWHERE.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')) return []
  return [
    `http.url: must be set when http.host is ${host}, which is no address that clients can reach; for example https://git.example.com`,
  ]
}
