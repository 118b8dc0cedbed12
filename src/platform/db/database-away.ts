/** PostgreSQL that is away, too busy or too slow: whoever asks is told to come back, and that nobody is to blame. */
import { Problem } from '#platform/problem'

/**
 * By the first letters of an SQLSTATE: connections that broke (08), resources that ran out (53), a server that shuts
 * down or ended the session (57P, 25P), statements (57014) and locks (55P03) that took too long, a server that only
 * reads since a failover (25006), and transactions that were given up once too often (40).
 */
const STATES = /^(?:08|53|57P|25P0[34]|57014|55P03|25006|40001|40P01)/
/** Of a call to the system, as a client that went away has none. Who calls another host or a store says it otherwise. */
const NETWORK = /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** The driver's own failures have no code. */
const DRIVER =
  /^(?:timeout e\w+|Connection terminated|Query read timeout|Client (?:has encountered|was closed)|Cannot use a pool)/
const RETRY_AFTER_S = 5

/** Undefined when the failure is another one. */
export function databaseAway(error: unknown): Problem | undefined {
  const { code = '', message = '', syscall = '' } = error as NodeJS.ErrnoException
  // The second: a socket of a server on this machine that is not there.
  const isNetwork = (syscall !== '' && NETWORK.test(code)) || (syscall === 'connect' && code === 'ENOENT')
  const isAway = code === '' ? DRIVER.test(message) : STATES.test(code) || isNetwork
  if (!isAway) return undefined
  return new Problem('unavailable', 'database is unavailable', { retryAfterS: RETRY_AFTER_S })
}
