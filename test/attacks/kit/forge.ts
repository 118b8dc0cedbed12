/** A throw-away forge: started for attacks by `bloomery try`, stopped with all its processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '../../../src/cli/free-ports.ts'
import { MailServer } from '../../../src/testing/mail-server.ts'
import { type TriedForge, tryForge } from '../../try-forge.ts'
import type { ForgeKind } from './attack.ts'
import { type Answer, type CallOptions, call, type Person } from './calls.ts'
import { run } from './git.ts'
import { descendantsOf, isAlive, isStill } from './processes.ts'

export interface ForgeOptions {
  readonly kind: ForgeKind
  /** Port of the first node; by default a free one. */
  readonly port?: number
  /** Prepares the data folder before anything runs in it; returns a function that undoes that. */
  readonly prepare?: (data: string) => Promise<() => Promise<void>>
}

/** One more process of the forge. */
export interface Serving {
  readonly base: string
  readonly pid: number
}

interface Parts {
  readonly data: string
  readonly mail: MailServer
  readonly tried: TriedForge
  readonly undo: (() => Promise<void>) | undefined
  readonly lines: readonly string[]
}

const ARGUMENTS: Record<ForgeKind, readonly string[]> = {
  disk: ['--nodes', '2'],
  s3: ['--nodes', '3', '--store', 's3', '--set', 'jobs.dead_after_ms=5000'],
}
/** The environment of a node of `try`; one more node gets its own port and cache. */
const OF_NODE = /^(?:BLOOMERY_|NODE_COMPILE_CACHE=|NODE_OPTIONS=|MALLOC_ARENA_MAX=)/
const READY_MS = 90_000
const STOP_MS = 15_000
const LINES_MAX = 200
const PASSWORD = 'pass1234'

export const PROJECT = join(import.meta.dirname, '../../..')
export const MAIN = join(PROJECT, 'src/main.ts')

export async function startForge({ kind, port, prepare }: ForgeOptions): Promise<Forge> {
  const data = makeData()
  const undo = await prepare?.(data).catch((error: Error) => {
    rmSync(data, { recursive: true, force: true })
    throw error
  })
  const mail = await MailServer.start()
  const mailing = ['mail.host=127.0.0.1', `mail.port=${mail.port}`, 'mail.tls=none']
  const args = [
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...['--ssh-port', '0', '--data', data],
    ...ARGUMENTS[kind],
    ...mailing.flatMap((it) => ['--set', it]),
  ]
  const lines: string[] = []
  const hear = (line: string) => {
    lines.push(line)
    if (lines.length > LINES_MAX) lines.shift()
  }
  try {
    return new Forge({ data, mail, undo, lines, tried: await tryForge(args, hear) })
  } catch (error) {
    await mail[Symbol.asyncDispose]()
    await undo?.()
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
    throw new Error(`${(error as Error).message}: ${lines.slice(-3).join(' | ')}`)
  }
}

/** In memory where the machine has room for it. */
function makeData(): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const data = mkdtempSync(join(parent, 'bloomery-attack-'))
  // PostgreSQL runs as its own user, which must be able to traverse the folder.
  chmodSync(data, 0o711)
  return data
}

export class Forge {
  readonly admin: Person
  /** URLs of all nodes. */
  readonly bases: readonly string[]
  /** URL of the first node. */
  readonly base: string
  /** URL of the second node, which shares only database and store with the first. */
  readonly otherBase: string
  /** Processes of the nodes, the one at `base` first. */
  readonly pids: readonly number[]
  readonly data: string
  /** Receives all mail of the forge. */
  readonly mail: MailServer
  readonly #parts: Parts
  readonly #others: ChildProcess[] = []
  #names = 0

  constructor(parts: Parts) {
    const { admin, password, nodes } = parts.tried
    this.#parts = parts
    this.admin = { name: admin, password }
    this.bases = nodes.map(({ url }) => url)
    const [base = '', otherBase = ''] = this.bases
    this.base = base
    this.otherBase = otherBase
    this.pids = nodes.map(({ pid }) => pid)
    this.data = parts.data
    this.mail = parts.mail
  }

  /** Why the forge as a whole is broken; undefined when it works. */
  async findDeath(): Promise<string | undefined> {
    const dead = this.pids.filter((pid) => !isAlive(pid)).length
    if (dead > 0) return `${dead} of ${this.pids.length} nodes ended: ${this.#lastWords()}`
    for (const base of this.bases) {
      const asked = { method: 'GET', path: '/healthz' }
      const health = await call(base, asked, undefined, { timeoutMs: 20_000 }).catch(() => undefined)
      if (health?.status !== 200)
        return `${base}/healthz answers ${health?.status ?? 'nothing'}: ${this.#lastWords()}`
    }
    return undefined
  }

  call(
    who: Person | undefined,
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer> {
    return call(options?.base ?? this.base, { who, method, path }, body, options)
  }

  /** Like `call`, for steps that an attack depends on: anything but success aborts the attack, which then proves nothing. */
  async must(
    who: Person | undefined,
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer> {
    const answer = await this.call(who, method, path, body, options)
    if (answer.status < 300) return answer
    throw new Error(`${method} ${path} gave ${answer.status} ${answer.text.slice(0, 200)}`)
  }

  /** A unique name. */
  name(stem: string): string {
    this.#names += 1
    return `${stem}-${this.#names}`
  }

  async user(stem: string, facts: object = {}): Promise<Person> {
    const name = this.name(stem)
    const email = `${name}@example.test`
    const body = { username: name, email, password: PASSWORD, must_change_password: false, ...facts }
    await this.must(this.admin, 'POST', '/api/v1/admin/users', body)
    return { name, password: PASSWORD }
  }

  /** Returns `owner/name`. */
  async repository(owner: Person, stem: string, facts: object = {}): Promise<string> {
    const name = this.name(stem)
    await this.must(owner, 'POST', '/api/v1/user/repos', { name, auto_init: true, ...facts })
    return `${owner.name}/${name}`
  }

  /** Forks a repository; returns `owner/name`. */
  async fork(who: Person, repository: string): Promise<string> {
    await this.must(who, 'POST', `/api/v1/repos/${repository}/forks`, {})
    return `${who.name}/${repository.split('/')[1]}`
  }

  async tip(who: Person, repository: string, branch = 'main'): Promise<string> {
    const { json } = await this.must(who, 'GET', `/api/v1/repos/${repository}/branches/${branch}`)
    return (json as { commit: { id: string } }).commit.id
  }

  /** The URL to clone from. */
  remote(who: Person | undefined, repository: string, base = this.base): string {
    const address = new URL(`${base}/${repository}.git`)
    if (who !== undefined) Object.assign(address, { username: who.name, password: who.password })
    return address.href
  }

  /** A folder that is deleted with the forge. */
  folder(): string {
    return mkdtempSync(join(this.data, 'work-'))
  }

  async sql(statement: string, database = 'bloomery'): Promise<string> {
    const options = ['-d', database, '-v', 'ON_ERROR_STOP=1', '-qAtc', statement]
    const { code, said } = await run('psql', [...this.connection(), ...options])
    if (code !== 0) throw new Error(`psql: ${said}`)
    return said
  }

  /** Connection arguments for `psql` and similar programs. */
  connection(): string[] {
    return ['-h', this.#sockets(), '-U', 'postgres']
  }

  /** Settings of the first node, as environment, for one more process on the same database and store. */
  environment(): Record<string, string> {
    const words = readFileSync(`/proc/${this.pids[0]}/environ`, 'utf8').split('\0')
    const pairs = words.filter((it) => OF_NODE.test(it)).map((it) => it.split(/=(.*)/s))
    return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
  }

  /**
   * Starts one more process by `bloomery serve`; it is ready when this returns, and stopped with the attack that started
   * it.
   */
  async serve(args: readonly string[], environment: Record<string, string> = {}): Promise<Serving> {
    const port = await findFreePorts()
    const own = {
      BLOOMERY_HTTP_PORT: String(port),
      BLOOMERY_GIT_CACHE_FOLDER: join(this.data, this.name('cache-of')),
      BLOOMERY_LOG_LEVEL: 'info',
    }
    const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
      cwd: PROJECT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.environment(), ...own, ...environment },
    })
    this.#others.push(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-20_000)
      })
    for (const end = performance.now() + READY_MS; performance.now() < end; await sleep(100)) {
      if (hasEnded(child)) break
      if (said.includes('"serving"')) return { base: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }
    }
    throw new Error(`serve ${args.join(' ')} did not start: ${said.slice(-200)}`)
  }

  /** A node whose memory was not used by an earlier attack. */
  freshNode(environment: Record<string, string> = {}): Promise<Serving> {
    return this.serve(['--role', 'http'], environment)
  }

  /** Stops the processes that `serve` has started. */
  async endOthers(): Promise<void> {
    // Nothing here must be kept, and a node under attack may be slow to stop in order.
    for (const child of this.#others.splice(0)) {
      const started = descendantsOf(child.pid ?? 0)
      if (!hasEnded(child)) {
        const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
        child.kill('SIGKILL')
        await ended
      }
      for (const it of started) if (isStill(it)) process.kill(it.pid, 'SIGKILL')
    }
  }

  async stop(): Promise<void> {
    const { tried, mail, undo } = this.#parts
    const started = [tried.pid, ...this.pids].flatMap(descendantsOf)
    await this.endOthers()
    for (const pid of this.pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    await Promise.race([tried[Symbol.asyncDispose](), sleep(STOP_MS, undefined, { ref: false })])
    if (isAlive(tried.pid)) process.kill(tried.pid, 'SIGKILL')
    for (const it of started) if (isStill(it)) process.kill(it.pid, 'SIGKILL')
    await mail[Symbol.asyncDispose]()
    await undo?.()
    rmSync(this.data, { recursive: true, force: true, maxRetries: 5 })
  }

  #lastWords(): string {
    const lines = this.#parts.lines.filter((line) => /Error|has ended/.test(line))
    return lines.slice(-2).join(' | ').slice(0, 200)
  }

  /** The folder of PostgreSQL's socket. */
  #sockets(): string {
    const hasSocket = (folder: string) => existsSync(folder) && readdirSync(folder).includes('.s.PGSQL.5432')
    const folders = readdirSync(this.data, { withFileTypes: true }).filter((it) => it.isDirectory())
    for (const { name } of folders)
      for (const folder of [join(this.data, name), join(this.data, name, 'run')])
        if (hasSocket(folder)) return folder
    throw new Error('the forge has no PostgreSQL of its own')
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
