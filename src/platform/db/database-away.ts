/**
 * Recognizes an unavailable, overloaded or slow PostgreSQL, so that the caller gets «try again later» instead of an
 * internal error.
 */
import { Problem } from '#platform/problem'

/**
 * By prefix of SQLSTATE: broken connections (08), exhausted resources (53), a server that shuts down or ended the session
 * (57P, 25P), timeouts of statements (57014) and locks (55P03), a server that is read-only since a failover (25006), and
 * transactions that failed too often (40).
 */
const STATES = /^(?:08|53|57P|25P0[34]|57014|55P03|25006|40001|40P01)/
/**
 * Only with a `syscall`, which an aborted request does not have. Calls to other hosts or the object store are wrapped
 * elsewhere.
 */
const NETWORK = /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** The driver's own failures have no code. */
const DRIVER =
  /^(?:timeout e\w+|Connection terminated|Query read timeout|Client (?:has encountered|was closed)|Cannot use a pool)/
const RETRY_AFTER_S = 5

/** Undefined for other failures. */
export function databaseAway(error: unknown): Problem | undefined {
  const { code = '', message = '', syscall = '' } = error as NodeJS.ErrnoException
  // ENOENT: the Unix socket of a local server does not exist.
  const isNetwork = (syscall !== '' && NETWORK.test(code)) || (syscall === 'connect' && code === 'ENOENT')
  const isAway = code === '' ? DRIVER.test(message) : STATES.test(code) || isNetwork
  if (!isAway) return undefined
  return new Problem('unavailable', 'database is unavailable', { retryAfterS: RETRY_AFTER_S })
}
