/** Settings that are valid alone and wrong together. */
import { BlockList, isIPv6 } from 'node:net'

interface Listening {
  readonly 'http.host': string
  readonly 'http.url': string
}

export function contradictionsIn({ 'http.host': host, 'http.url': url }: Listening): string[] {
  if (url !== '' || !isEverywhere(host)) return []
  return [
    `http.url: must be set when http.host is ${host}, which is no address that clients can reach; for example https://git.example.com`,
  ]
}

/** Whether it stands for every network interface: a server can listen there, and no client can reach it. */
function isEverywhere(host: string): boolean {
  const addresses = new BlockList()
  addresses.addAddress('0.0.0.0')
  addresses.addAddress('::', 'ipv6')
  return addresses.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}
