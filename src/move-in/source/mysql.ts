/** Reads the MySQL or MariaDB database of a Gitea. */
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise'
import { OperatorError } from '#platform/operator-error'
import type { DatabaseSettings } from './app-ini.ts'
import type { Driver, SourceRow } from './driver.ts'
import { type Settings, settingOf } from './setting-of.ts'

const PORT = 3306
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 600_000
/** The connection is idle while git is read; servers close idle ones after eight hours, or what their operator set. */
const IDLE_SECONDS = 7 * 24 * 3600
/**
 * Names in double quotes, as in the other databases. The character set of columns does not matter: the server translates
 * to that of the connection.
 */
const SESSION = `set session sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES',
  session wait_timeout = ${IDLE_SECONDS}, session time_zone = '+00:00'`
const READ_ONLY = 'set session transaction read only'

/** Errors of servers and of the network, by the settings of `app.ini` that cause them. */
const SETTINGS: Settings = {
  'USER or PASSWD': [
    'ER_ACCESS_DENIED_ERROR',
    'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
    'ER_DBACCESS_DENIED_ERROR',
    'ER_HOST_NOT_PRIVILEGED',
  ],
  NAME: ['ER_BAD_DB_ERROR'],
  SSL_MODE: ['HANDSHAKE_NO_SSL_SUPPORT', 'HANDSHAKE_SSL_ERROR', 'ER_SECURE_TRANSPORT_REQUIRED'],
  HOST: [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENOENT',
    'EACCES',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
  ],
}

export async function openMysql(settings: DatabaseSettings): Promise<Driver> {
  const connection = await connect(settings).catch((cause: unknown) => {
    throw refused(cause)
  })
  // The next statement reports a connection that broke while it was idle.
  connection.on('error', () => {})
  return {
    rows: (sql) => read(connection, sql),
    // Nothing waits to be written, and a statement that hangs must not hold the process.
    close: async () => connection.destroy(),
  }
}

async function connect(settings: DatabaseSettings): Promise<Connection> {
  const options = optionsOf(settings)
  try {
    return await open({ ...options, ...encryptionOf(settings.sslMode) })
  } catch (error) {
    const isOptional =
      /^prefer(?:red)?$/.test(settings.sslMode) && codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT'
    if (!isOptional) throw error
    return open(options)
  }
}

async function open(options: ConnectionOptions): Promise<Connection> {
  const connection = await createConnection(options)
  try {
    await connection.query({ sql: SESSION, timeout: CONNECT_TIMEOUT_MS })
    await connection.query({ sql: READ_ONLY, timeout: CONNECT_TIMEOUT_MS })
    return connection
  } catch (error) {
    connection.destroy()
    throw error
  }
}

function optionsOf({ host, name, user, password }: DatabaseSettings): ConnectionOptions {
  // Names may carry parameters of Gitea's driver.
  const [database = ''] = name.split('?', 1)
  return {
    ...addressOf(host),
    database,
    user,
    password,
    connectTimeout: CONNECT_TIMEOUT_MS,
    charset: 'utf8mb4',
    // Numbers beyond 2^53 stay whole, as texts.
    supportBigNumbers: true,
    dateStrings: true,
    jsonStrings: true,
    // Names of columns, which the source chooses, become no code; its server may ask for no file of this machine.
    disableEval: true,
    flags: ['-LOCAL_FILES'],
  }
}

/** A host that is a path is a Unix socket. */
function addressOf(host: string): ConnectionOptions {
  if (host.startsWith('/')) return { socketPath: host }
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(host) ?? []
  return { host: bracketed ?? plain ?? host, port: Number(port ?? PORT) }
}

/** As Gitea's driver reads `SSL_MODE`. */
function encryptionOf(mode: string): ConnectionOptions {
  if (['', 'disable', 'false'].includes(mode)) return {}
  if (mode === 'true') return { ssl: { rejectUnauthorized: true, verifyIdentity: true } }
  return { ssl: { rejectUnauthorized: false } }
}

async function read(connection: Connection, sql: string): Promise<SourceRow[]> {
  try {
    const [rows] = await connection.query({ sql, timeout: STATEMENT_TIMEOUT_MS })
    return rows as SourceRow[]
  } catch (cause) {
    if (!isFatal(cause)) throw cause
    throw new OperatorError(
      'the connection to the MySQL database of app.ini broke; the same command goes on where it was',
      { cause },
    )
  }
}

function refused(cause: unknown): OperatorError {
  const reason = settingOf(SETTINGS, 'database', codeOf(cause))
  return new OperatorError(`the MySQL database of app.ini cannot be opened${reason}`, { cause })
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}

function isFatal(error: unknown): boolean {
  return (error as { fatal?: boolean }).fatal === true
}
