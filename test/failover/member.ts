/** One PostgreSQL of a cluster with the Patroni that starts, stops and promotes it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPool } from '#platform/pool'
import { asServerUser } from '../../src/cli/postgres.ts'

const HOST = '127.0.0.1'
const ASK_MS_MAX = 3_000
const STOP_MS_MAX = 60_000

export interface MemberOptions {
  readonly name: string
  readonly folder: string
  readonly configuration: string
  readonly port: number
  readonly restPort: number
}

export class Member {
  readonly name: string
  readonly port: number
  readonly restPort: number
  private readonly folder: string
  private patroni: ChildProcess | undefined

  private constructor({ name, folder, port, restPort }: MemberOptions) {
    this.name = name
    this.folder = folder
    this.port = port
    this.restPort = restPort
  }

  /** `folder` must belong to the user of PostgreSQL. */
  static async open(options: MemberOptions): Promise<Member> {
    await writeFile(join(options.folder, 'patroni.yml'), options.configuration)
    const member = new Member(options)
    member.start()
    return member
  }

  get data(): string {
    return join(this.folder, 'data')
  }

  start(): void {
    const [program, ...args] = asServerUser('patroni')
    const log = openSync(join(this.folder, 'patroni.log'), 'a')
    this.patroni = spawn(program, [...args, join(this.folder, 'patroni.yml')], {
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/bin:/bin:/usr/sbin', LC_ALL: 'C.UTF-8', HOME: this.folder },
      detached: true,
    })
    closeSync(log)
  }

  /** As when the machine loses its power: no process of it does anything more. */
  async kill(): Promise<void> {
    const { patroni } = this
    this.patroni = undefined
    if (patroni === undefined) return
    const ended = once(patroni, 'exit')
    for (const pid of await this.pids(patroni)) signal(pid, 'SIGKILL')
    await ended
  }

  /** As when the machine stands still; until `goOn`. */
  async pause(): Promise<void> {
    for (const pid of await this.pids()) signal(pid, 'SIGSTOP')
    // Those that were forked meanwhile.
    for (const pid of await this.pids()) signal(pid, 'SIGSTOP')
  }

  /** What it commits from now on reaches no standby, for a few seconds. */
  async stopSending(): Promise<void> {
    for (const pid of await this.pids()) {
      const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (title.includes('walsender')) signal(pid, 'SIGSTOP')
    }
  }

  async goOn(): Promise<void> {
    for (const pid of await this.pids()) signal(pid, 'SIGCONT')
  }

  async stop(): Promise<void> {
    const { patroni } = this
    if (patroni === undefined) return
    await this.goOn()
    const ended = once(patroni, 'exit')
    patroni.kill('SIGTERM')
    const timer = setTimeout(() => void this.kill(), STOP_MS_MAX)
    await ended
    clearTimeout(timer)
    this.patroni = undefined
  }

  /** What PostgreSQL itself answers, past the proxy; throws when it refuses. */
  async ask<T>(url: string, sql: string): Promise<T[]> {
    const pool = openPool({ url, poolMax: 1, connectTimeoutMs: ASK_MS_MAX, statementTimeoutMs: ASK_MS_MAX })
    try {
      return (await pool.query(sql)).rows as T[]
    } finally {
      await pool.end()
    }
  }

  /** The status of a health check; undefined without an answer. */
  async status(path: string): Promise<number | undefined> {
    return fetch(`http://${HOST}:${this.restPort}${path}`, { signal: AbortSignal.timeout(ASK_MS_MAX) }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => undefined,
    )
  }

  /** Patroni, the server, and its processes. */
  private async pids(patroni = this.patroni): Promise<number[]> {
    const pids = patroni?.pid === undefined ? [] : [patroni.pid, ...(await childrenOf(patroni.pid))]
    const file = await readFile(join(this.data, 'postmaster.pid'), 'utf8').catch(() => '')
    const postmaster = Number(file.split('\n')[0])
    if (postmaster > 0) pids.push(postmaster, ...(await childrenOf(postmaster)))
    return [...new Set(pids)]
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has just exited itself.
  }
}
