/** A MariaDB of Debian in a folder of its own, with a database and a user as an administrator makes them for a Gitea. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Connection, createConnection } from 'mysql2/promise'
import { findFreePorts } from '../../src/cli/free-ports.ts'

const SERVER = '/usr/sbin/mariadbd'
const MEMORY_FOLDER = '/dev/shm'
const START_MS = 60_000
const POLL_MS = 50
/** The test may run as root, which the server refuses by default. */
const OWN = ['--no-defaults', '--user=root']
const SMALL = [
  '--skip-log-bin',
  '--performance-schema=off',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-buffer-pool-size=16M',
  '--innodb-log-file-size=8M',
]
export const USER = 'gitea'
export const PASSWORD = 'a # password; of Gitea'

export class MariaDb implements AsyncDisposable {
  readonly port: number
  readonly socket: string
  private readonly child: ChildProcess
  private readonly folder: string

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.child = child
    this.folder = folder
    this.port = port
    this.socket = join(folder, 'socket')
  }

  static async start(): Promise<MariaDb> {
    const folder = await mkdtemp(
      join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'bloomery-mariadb-'),
    )
    const data = join(folder, 'data')
    const method = '--auth-root-authentication-method=normal'
    await promisify(execFile)('mariadb-install-db', [...OWN, `--datadir=${data}`, method, '--skip-test-db'])
    const port = await findFreePorts()
    const place = [`--datadir=${data}`, `--socket=${join(folder, 'socket')}`, `--port=${port}`]
    const child = spawn(SERVER, [...OWN, ...SMALL, ...place, '--bind-address=127.0.0.1'], { stdio: 'ignore' })
    const server = new MariaDb(child, folder, port)
    await server.makeDatabase()
    return server
  }

  /** As the administrator of the server. */
  async open(database?: string): Promise<Connection> {
    return createConnection({
      socketPath: this.socket,
      user: 'root',
      charset: 'utf8mb4',
      ...(database === undefined ? {} : { database }),
    })
  }

  private async makeDatabase(): Promise<void> {
    const end = performance.now() + START_MS
    let connection: Connection | undefined
    while (connection === undefined) {
      connection = await this.open().catch(() => undefined)
      if (connection !== undefined) break
      if (performance.now() > end || this.child.exitCode !== null) throw new Error('mariadbd does not start')
      await sleep(POLL_MS)
    }
    await connection.query("create database gitea character set 'utf8mb4' collate 'utf8mb4_bin'")
    await connection.query("create user ?@'%' identified by ?", [USER, PASSWORD])
    await connection.query("grant all privileges on gitea.* to ?@'%'", [USER])
    await connection.end()
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}
