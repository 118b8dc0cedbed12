/** Reads the PostgreSQL database of a Gitea. */

import { OperatorError } from '#platform/operator-error'
import { openPool } from '#platform/pool'
import type { DatabaseSettings } from './app-ini.ts'
import type { Driver, SourceRow } from './driver.ts'

const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 600_000

export async function openPostgres(settings: DatabaseSettings): Promise<Driver> {
  const pool = openPool({
    url: urlOf(settings),
    poolMax: 1,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    await pool.query('set default_transaction_read_only = on')
    if (settings.schema !== '')
      await pool.query(`set search_path to "${settings.schema.replaceAll('"', '')}"`)
  } catch (cause) {
    await pool.end()
    throw new OperatorError('the PostgreSQL database of app.ini cannot be opened', { cause })
  }
  return {
    rows: async (sql) => (await pool.query(sql)).rows as SourceRow[],
    close: () => pool.end(),
  }
}

/** A host that is a path is the folder of a Unix socket. */
function urlOf({ host, name, user, password, sslMode }: DatabaseSettings): string {
  const url = new URL('postgres://localhost')
  url.pathname = `/${encodeURIComponent(name)}`
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  if (host.startsWith('/')) {
    url.searchParams.set('host', host)
  } else {
    const [, hostname = host, port = ''] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
    url.hostname = hostname
    url.port = port
  }
  if (sslMode !== '' && sslMode !== 'disable') url.searchParams.set('sslmode', sslMode)
  return url.href
}
