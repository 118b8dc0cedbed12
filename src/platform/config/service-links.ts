/**
 * Variables that Kubernetes sets in every container for every service of its namespace. Those of a service named
 * `bloomery`, or with a name that begins so, look like settings of ours.
 */
import { isIP } from 'node:net'

const NAME =
  /^[A-Z0-9_]+?_(?:(?<host>SERVICE_HOST)|(?<number>SERVICE_PORT(?:_[A-Z0-9_]+)?)|(?<link>PORT(?:_\d+_(?:TCP|UDP|SCTP))?)|PORT_\d+_(?:TCP|UDP|SCTP)_(?:(?<proto>PROTO)|(?<port>PORT)|(?<addr>ADDR)))$/
const LINK = /^(?:tcp|udp|sctp):\/\/(?:[\d.]+|\[[\da-f:.]+\]):\d+$/i

/** Judges name and value, so that a mistyped setting stays a mistake. */
export function isServiceLink(variable: string, value: string): boolean {
  const parts = NAME.exec(variable)?.groups
  if (parts === undefined) return false
  if (parts.link !== undefined) return LINK.test(value)
  if (parts.host !== undefined || parts.addr !== undefined) return isIP(value) !== 0
  if (parts.proto !== undefined) return /^(?:tcp|udp|sctp)$/i.test(value)
  return /^\d+$/.test(value)
}
