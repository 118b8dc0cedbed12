/** Turns an error of a command into lines for the operator: what is wrong, in which setting, and what to do. */
import { databaseAway, sqlStateOf } from '#platform/db'
import { OperatorError } from '#platform/operator-error'
import { Problem } from '#platform/problem'

/** One line for each mistake; undefined for an unexpected error, which deserves its stack. */
export function explain(error: unknown): readonly string[] | undefined {
  if (error instanceof OperatorError) return error.mistakes
  if (error instanceof Problem) return [ofProblem(error)]
  if (!(error instanceof Error)) return undefined
  const line = ofProgram(error) ?? ofFile(error) ?? ofDatabase(error)
  return line === undefined ? undefined : [line]
}

/** For `catch`: a server that cannot listen on the address of its settings, such as `http.host` and `http.port`. */
export function cannotListen(section: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const { code = '', address, port, hostname } = error as Network
    const why = LISTENING[code]
    if (why === undefined) throw error
    throw new OperatorError(why(section, address ?? hostname ?? 'the host', port), { cause: error })
  }
}

type Network = NodeJS.ErrnoException & {
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
}
type Describe = (section: string, host: string, port: number | undefined) => string

const noHost: Describe = (section, host) =>
  `${section}.host: ${host} is no address of this machine; set one that it has, or 127.0.0.1`
const LISTENING: Readonly<Record<string, Describe>> = {
  EADDRINUSE: (section, host, port) =>
    `${section}.port: port ${port} of ${host} is in use; stop the program that listens there, or set another port`,
  EACCES: (section, _host, port) =>
    `${section}.port: this user may not listen on port ${port}; set a port from 1024 on, and let a proxy listen on ${port}`,
  EADDRNOTAVAIL: noHost,
  EINVAL: noHost,
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
}

function ofProblem({ message, details }: Problem): string {
  const about = details.failure ?? details.key
  if (about === undefined) return message + factsOf(details)
  // A backup has two stores: that of the forge, and its own folder.
  const where = details.store === undefined ? '' : ` (${details.store})`
  const remedy = FILES[String(details.failure)]
  return `${message}: ${about}${where}${remedy === undefined ? '' : `; ${remedy}`}`
}

/** Such as the limit that was exceeded, or the name that was refused. */
function factsOf(details: Problem['details']): string {
  const facts = Object.entries(details).filter(([, it]) => typeof it === 'string' || typeof it === 'number')
  return facts.length === 0 ? '' : ` (${facts.map(([name, it]) => `${name} ${it}`).join(', ')})`
}

/** Programs that the forge starts: git, perl, setpriv, or the command of a backup. */
function ofProgram({ code, syscall = '', path }: NodeJS.ErrnoException): string | undefined {
  if (code !== 'ENOENT' || !syscall.startsWith('spawn')) return undefined
  return `the program ${path} was not found; install it, or add its folder to PATH`
}

/** Of files and folders that commands are given, such as that of a backup. */
const FILES: Readonly<Record<string, string>> = {
  EACCES: 'let the user of this command read and write there, or name another folder',
  EROFS: 'name a folder on a file system that can be written',
  ENOSPC: 'make room there, or name a folder on another disk',
  EDQUOT: 'make room there, or name a folder on another disk',
  ENOTDIR: 'a part of this path is a file; name a folder',
}

function ofFile({ code = '', path, syscall = '' }: NodeJS.ErrnoException): string | undefined {
  const remedy = FILES[code]
  if (remedy === undefined || /^(?:spawn|connect|listen)/.test(syscall)) return undefined
  return `cannot use ${path ?? 'a file'} (${syscall} ${code}); ${remedy}`
}

/** PostgreSQL's own words name user and database. */
const STATES: readonly (readonly [RegExp, string])[] = [
  [/^28P01$/, 'correct user and password'],
  [/^28/, 'create the user, or let it connect in pg_hba.conf'],
  [/^3D000$/, 'create it with `createdb`, or correct the name'],
  [/^42501$/, 'make the user the owner of the database'],
  [/^53300$/, 'raise max_connections of PostgreSQL, or lower database.*_max'],
  [/^57P03$/, 'try again in a moment'],
  [/^25006$/, 'name the primary server, not a standby'],
]

/** Only the database is called without a wrapper of its own, so an error of the network is the database's. */
function ofDatabase(error: Error): string | undefined {
  const state = sqlStateOf(error)
  const remedy = STATES.find(([pattern]) => state !== undefined && pattern.test(state))?.[1]
  if (remedy !== undefined) return `database.url: ${error.message}; ${remedy}`
  if (/does not support SSL/.test(error.message))
    return 'database.url: the server does not support TLS; remove sslmode, or turn on ssl in postgresql.conf'
  if (/SASL|client password must be a string/.test(error.message))
    return 'database.url: PostgreSQL asks for a password; put one into the URL'
  if (state !== undefined || databaseAway(error) === undefined) return undefined
  // A name with several addresses fails with an error for each of them.
  const [first = error] = error instanceof AggregateError ? error.errors : []
  const { code = '', address, port, hostname } = first as Network
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `database.url: the host ${hostname} was not found (${code}); correct its name`
  if (code === 'ENOENT')
    return `database.url: there is no socket ${address}; start PostgreSQL, or correct the folder`
  if (code === 'ECONNREFUSED')
    return `database.url: nothing listens on ${address}:${port}; start PostgreSQL, or correct host and port`
  return `database.url: PostgreSQL does not answer (${code || first.message}); check the host, the port and firewalls`
}
