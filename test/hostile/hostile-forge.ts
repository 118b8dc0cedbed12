/** A forge that is watched while it is attacked: its memory, its git processes, its errors. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TriedForge, tryForge } from '../try-forge.ts'
import {
  type Answer,
  type Ask,
  type Manner,
  pkts,
  type Report,
  reportOf,
  requestBytes,
  send,
} from './wire.ts'

const ADMIN = 'admin'
const PASSWORD = 'admin1234'
const SAMPLE_MS = 100
const COMPLAINT_CHARACTERS = 900
const MIB = 1024 * 1024
/** A node alone is below 200 MiB; it may hold a few of the largest requests at once, and no more. */
export const NODE_BYTES_MAX = 900 * MIB
/** All git processes together: an object of the largest kind in memory, twice, and some room. */
export const GIT_BYTES_MAX = 1_600 * MIB
/** Time for git to exit when its client is gone. */
const GIT_END_MS_MAX = 20_000

export class HostileForge {
  readonly url: string
  readonly sshPort: number | null
  readonly folder: string
  /** The maximum seen, in bytes. */
  readonly peak = { node: 0, git: 0 }
  /** Warnings and errors in the logs of the nodes. */
  readonly complaints: string[] = []
  private readonly tried: TriedForge
  private readonly sampler: NodeJS.Timeout

  static async open(): Promise<HostileForge> {
    const folder = await mkdtemp(join(tmpdir(), 'bloomery-hostile-'))
    const said: string[] = []
    return new HostileForge(await tryForge([], (line) => said.push(line)), folder, said)
  }

  private constructor(tried: TriedForge, folder: string, said: string[]) {
    this.url = tried.url
    this.sshPort = tried.ssh_port
    this.tried = tried
    this.folder = folder
    this.complaints = said
    this.sampler = setInterval(() => this.sample(), SAMPLE_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.sampler)
    await this.tried[Symbol.asyncDispose]()
    await rm(this.folder, { recursive: true, force: true })
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${ADMIN}:${PASSWORD}`).toString('base64')}`
  }

  /** For the real git client. */
  remote(name: string): string {
    const url = new URL(`${this.url}/${ADMIN}/${name}.git`)
    url.username = ADMIN
    url.password = PASSWORD
    return url.href
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: this.authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async createRepository(name: string): Promise<string> {
    const answer = await this.call('POST', '/user/repos', { name })
    assert.equal(answer.status, 201)
    return name
  }

  ask(ask: Ask, manner: Manner = {}): Promise<Answer> {
    return send(this.url, requestBytes(ask, this.authorization), manner)
  }

  /** A push as bytes: commands, then whatever follows them. */
  async push(
    repo: string,
    commands: readonly (string | Buffer)[],
    pack: Buffer = Buffer.alloc(0),
  ): Promise<{ answer: Answer; report: Report | undefined }> {
    const [first = '', ...others] = commands
    const head = Buffer.concat([
      Buffer.from(first),
      Buffer.from('\0 report-status delete-refs object-format=sha1'),
    ])
    const answer = await this.ask({
      ...receivePack(repo),
      body: Buffer.concat([pkts(head, ...others, '0000'), pack]),
    })
    return { answer, report: reportOf(answer.body) }
  }

  /** Errors logged by the nodes since the last call. */
  takeErrors(): string[] {
    return this.complaints
      .splice(0)
      .filter((line) => /"level":"(error|fatal)"|has ended|^\s+at |^node:/.test(line))
      .map((line) => line.slice(0, COMPLAINT_CHARACTERS))
  }

  /** Waits until no git process runs for a client that is gone. */
  async untilQuiet(): Promise<void> {
    for (let waited = 0; ; waited += SAMPLE_MS) {
      const left = this.gitProcesses()
      if (left.length === 0) return
      if (waited > GIT_END_MS_MAX)
        assert.fail(`git is still there: ${left.map(({ words }) => words).join('; ')}`)
      await sleep(SAMPLE_MS)
    }
  }

  assertBounded(): void {
    this.sample()
    assert.ok(this.peak.node < NODE_BYTES_MAX, `the node grew to ${toMib(this.peak.node)} MiB`)
    assert.ok(this.peak.git < GIT_BYTES_MAX, `git grew to ${toMib(this.peak.git)} MiB`)
  }

  private sample(): void {
    const nodes = this.processes().filter(({ words }) => words.includes(' serve'))
    const node = Math.max(0, ...nodes.map(({ bytes }) => bytes))
    const git = this.gitProcesses().reduce((sum, { bytes }) => sum + bytes, 0)
    this.peak.node = Math.max(this.peak.node, node)
    this.peak.git = Math.max(this.peak.git, git)
  }

  private gitProcesses(): Process[] {
    return this.processes().filter(({ words }) => /^(\S*\/)?git(-\S+)? /.test(words))
  }

  /** All processes that the forge has started. */
  private processes(): Process[] {
    const all = readProcesses()
    const ours = new Set([this.tried.pid])
    for (let size = 0; size < ours.size; ) {
      size = ours.size
      for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid)
    }
    return all.filter(({ pid }) => ours.has(pid) && pid !== this.tried.pid)
  }
}

export function receivePack(repo: string): Ask {
  return service(repo, 'git-receive-pack')
}

export function uploadPack(repo: string, protocol: 0 | 2): Ask {
  const ask = service(repo, 'git-upload-pack')
  return protocol === 0 ? ask : { ...ask, headers: { ...ask.headers, 'git-protocol': 'version=2' } }
}

function service(repo: string, name: string): Ask {
  return {
    method: 'POST',
    path: `/${ADMIN}/${repo}.git/${name}`,
    headers: { 'content-type': `application/x-${name}-request` },
  }
}

export function toMib(bytes: number): number {
  return Math.round(bytes / MIB)
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly bytes: number
  readonly words: string
}

function readProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      // Zombies are not running.
      if (/^State:\s+Z/m.test(status)) return []
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const number = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return [{ pid: Number(name), parent: number('PPid'), bytes: number('VmRSS') * 1024, words }]
    } catch {
      // It exited while being read.
      return []
    }
  })
}
