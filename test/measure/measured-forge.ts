/** A forge to measure: durable, with its data in a folder that the measurement may inspect. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { pkts, requestBytes, send, ZERO } from '../hostile/wire.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const ADMIN = 'admin'
const PASSWORD = 'admin1234'
const IDLE_POLL_MS = 50
const EMPTY_PACK = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex')

export class MeasuredForge {
  readonly url: string
  readonly pid: number
  readonly sshPort: number | null
  /** The data folder. */
  readonly data: string
  private readonly stop: () => Promise<void>

  static async open(args: readonly string[] = [], path?: string): Promise<MeasuredForge> {
    const data = await mkdtemp(join(tmpdir(), 'bloomery-measure-'))
    // PostgreSQL runs as its own user, which must be able to traverse to its folder.
    await chmod(data, 0o711)
    const flags = ['try', '--port', String(await findFreePorts()), '--data', data, ...args]
    const child = spawn(process.execPath, [MAIN, ...flags], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...(path === undefined ? {} : { PATH: path }) },
    })
    const ended = once(child, 'exit')
    // An aborted measurement stops its forge.
    const end = () => child.kill('SIGTERM')
    process.once('exit', end)
    const stop = async () => {
      end()
      await ended
      process.off('exit', end)
      await rm(data, { recursive: true, force: true })
    }
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      ended.then(() => {
        throw new Error('the forge ended before it was ready')
      }),
    ])) as [string]
    const ready = JSON.parse(line) as { url: string; pid: number; ssh_port: number | null }
    return new MeasuredForge(ready, data, stop)
  }

  private constructor(
    ready: { url: string; pid: number; ssh_port: number | null },
    data: string,
    stop: () => Promise<void>,
  ) {
    this.url = ready.url
    this.pid = ready.pid
    this.sshPort = ready.ssh_port
    this.data = data
    this.stop = stop
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${ADMIN}:${PASSWORD}`).toString('base64')}`
  }

  remote(name: string): string {
    return `${this.url}/${ADMIN}/${name}.git`
  }

  /** For the git client: credentials with the first request, as a CI job or a credential helper sends them. */
  get credentials(): readonly string[] {
    return ['-c', `http.extraHeader=Authorization: ${this.authorization}`]
  }

  /** The same with user and password in the URL: git first requests once without them. */
  remoteWithPassword(name: string): string {
    return this.remote(name).replace('http://', `http://${ADMIN}:${PASSWORD}@`)
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: this.authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async createRepository(name: string): Promise<void> {
    const answer = await this.call('POST', '/user/repos', { name })
    if (answer.status !== 201) throw new Error(`the repository was answered ${answer.status}`)
  }

  /** Creates refs to existing objects in one request: git itself takes minutes to write so long a push. */
  async createRefs(repo: string, refs: readonly { name: string; oid: string }[]): Promise<void> {
    const commands = refs.map(({ name, oid }) => `${ZERO} ${oid} ${name}`)
    const [first = '', ...others] = commands
    const path = `/${ADMIN}/${repo}.git/git-receive-pack`
    const headers = { 'content-type': 'application/x-git-receive-pack-request' }
    const lines = [
      pkts(`${first}\0 report-status`),
      ...others.map((line) => pkts(line)),
      pkts('0000'),
      EMPTY_PACK,
    ]
    const ask = { path, headers, body: Buffer.concat(lines) }
    const { status, body } = await send(this.url, requestBytes(ask, this.authorization))
    if (status !== 200 || body.includes('ng refs/')) throw new Error('the refs were not made')
  }

  /** The node's cached copy: a plain repository. */
  async cachedRepository(repo: string): Promise<string> {
    const [row] = await this.query<{ storage_id: string }>(
      `select storage_id from repository where name_key = '${repo}'`,
    )
    const id = Number(row?.storage_id)
    const shelf = join(this.data, 'cache-0/repositories', String(id % 1000))
    const copy = (await readdir(shelf)).find((name) => name.startsWith(`${id}-`))
    if (copy === undefined) throw new Error(`the node has no copy of ${repo}`)
    return join(shelf, copy)
  }

  /** Deletes the cache. */
  async forgetCache(): Promise<void> {
    const folder = join(this.data, 'cache-0')
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
  }

  async query<T>(sql: string): Promise<T[]> {
    const client = new Client({
      host: join(this.data, 'postgres/run'),
      user: 'postgres',
      database: 'bloomery',
    })
    await client.connect()
    try {
      return (await client.query(sql)).rows as T[]
    } finally {
      await client.end()
    }
  }

  /** A push causes jobs; they must not be attributed to the next push. */
  async untilIdle(): Promise<void> {
    const due = 'select 1 from job where run_at <= now() and attempts < attempts_max'
    while ((await this.query(`${due} limit 1`)).length > 0) await sleep(IDLE_POLL_MS)
  }

  /** Resident bytes of the node and of all its children, and the peak of the node alone. */
  memory(): { node: number; children: number; peak: number } {
    const [node] = childrenOf(this.pid).filter((pid) => wordsOf(pid).includes(' serve'))
    if (node === undefined) return { node: 0, children: 0, peak: 0 }
    const below = descendantsOf(node)
    return {
      node: residentBytes(node, 'VmRSS'),
      children: below.reduce((sum, pid) => sum + residentBytes(pid, 'VmRSS'), 0),
      peak: residentBytes(node, 'VmHWM'),
    }
  }
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function wordsOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function residentBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

/** Empty when the process has exited meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
