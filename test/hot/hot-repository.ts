/** The hot repository and its clients, each with a clone, a branch and perhaps a pull request. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TriedForge } from '../try-forge.ts'

export interface Push {
  readonly startedAt: number
  readonly ms: number
  readonly failure: string | undefined
}

interface Client {
  readonly folder: string
  readonly branch: string
  pull?: number
}

const TIMEOUT_MS = 120_000
const FILES = 200
const FILE_BYTES = 4_000
const POLL_MS = 500
/** More commits than any branch has. */
const DEPTH = 1_000_000

export class HotRepository {
  private readonly forge: TriedForge
  private readonly folder: string
  private readonly path: string
  private readonly clients: Client[] = []
  private turn = 0

  private constructor(forge: TriedForge, folder: string) {
    this.forge = forge
    this.folder = folder
    this.path = `${forge.admin}/hot`
  }

  /** Every second client has a pull request. */
  static async create(forge: TriedForge, folder: string, clients: number): Promise<HotRepository> {
    const hot = new HotRepository(forge, folder)
    await hot.call('POST', '/user/repos', { name: 'hot', default_branch: 'main' })
    const seed = await mkdtemp(join(folder, 'seed-'))
    await hot.git(seed, 'init', '--quiet', '--initial-branch=main')
    for (let i = 0; i < FILES; i++)
      await writeFile(join(seed, `file-${i}`), randomBytes(FILE_BYTES / 2).toString('hex'))
    await hot.commit(seed, 'begin')
    await hot.git(seed, 'push', '--quiet', hot.url(), 'main')
    for (let i = 0; i < clients; i++) {
      const client: Client = { folder: await mkdtemp(join(folder, 'client-')), branch: `topic-${i}` }
      await hot.git(client.folder, 'clone', '--quiet', seed, '.')
      await hot.git(client.folder, 'checkout', '--quiet', '-b', client.branch)
      await hot.commit(client.folder, 'first', client.branch)
      await hot.git(client.folder, 'push', '--quiet', hot.url(), client.branch)
      if (i % 2 === 0) client.pull = await hot.openPull(client.branch)
      hot.clients.push(client)
    }
    return hot
  }

  async push(number: number): Promise<Push> {
    const { folder, branch } = this.client(number)
    await this.commit(folder, `${number} ${this.turn}`, `file-${this.turn++ % FILES}`)
    const startedAt = performance.now()
    const failure = await this.git(folder, 'push', '--quiet', this.url(), branch).then(
      () => undefined,
      (error: Error) => error.message,
    )
    return { startedAt, ms: performance.now() - startedAt, failure }
  }

  /** One fetch and two pages; returns what failed. */
  async read(): Promise<string[]> {
    const target = await mkdtemp(join(this.folder, 'read-'))
    const failures: string[] = []
    const note = (error: Error) => failures.push(error.message)
    await this.git(target, 'clone', '--quiet', '--depth=1', this.url(), '.').catch(note)
    for (const page of ['', '/pulls']) await this.page(`/${this.path}${page}`).catch(note)
    await rm(target, { recursive: true, force: true })
    return failures
  }

  /** The pull requests whose head is not what their client pushed last. */
  async untilHeadsFollow(withinMs: number): Promise<string[]> {
    for (let waited = 0; ; waited += POLL_MS) {
      const behind: string[] = []
      for (const { folder, branch, pull } of this.clients) {
        if (pull === undefined) continue
        const pushed = (await this.git(folder, 'rev-parse', branch)).trim()
        const { head } = (await this.call('GET', `/repos/${this.path}/pulls/${pull}`)) as {
          head: { sha: string }
        }
        if (head.sha !== pushed) behind.push(`${pull}: ${head.sha}, ${pushed} was pushed`)
      }
      if (behind.length === 0 || waited >= withinMs) return behind
      await sleep(POLL_MS)
    }
  }

  /** The median of clones of all branches, from here and from a new repository that got them by one push. */
  async compareClones(times: number): Promise<{ hotMs: number; freshMs: number }> {
    await this.call('POST', '/user/repos', { name: 'fresh', default_branch: 'main' })
    const all = await mkdtemp(join(this.folder, 'all-'))
    await this.git(all, 'clone', '--quiet', '--bare', this.url(), '.')
    const fresh = this.url(`${this.forge.admin}/fresh`)
    await this.git(all, 'push', '--quiet', fresh, 'refs/heads/*:refs/heads/*')
    const measured = { hot: [] as number[], fresh: [] as number[] }
    for (let i = 0; i < times; i++)
      for (const [name, url] of [
        ['hot', this.url()],
        ['fresh', fresh],
      ] as const) {
        const target = await mkdtemp(join(this.folder, 'clone-'))
        const startedAt = performance.now()
        // The depth differs each time, so that no answer is shared.
        await this.git(
          target,
          'clone',
          '--quiet',
          '--bare',
          `--depth=${DEPTH - i}`,
          '--no-single-branch',
          url,
          '.',
        )
        measured[name].push(performance.now() - startedAt)
        await rm(target, { recursive: true, force: true })
      }
    return { hotMs: median(measured.hot), freshMs: median(measured.fresh) }
  }

  private async openPull(head: string): Promise<number> {
    const made = await this.call('POST', `/repos/${this.path}/pulls`, { title: head, head, base: 'main' })
    return (made as { number: number }).number
  }

  private client(number: number): Client {
    const client = this.clients[number]
    if (client === undefined) throw new Error(`there is no client ${number}`)
    return client
  }

  /** Each use takes the next node. */
  private url(path = this.path): string {
    const { nodes, admin, password } = this.forge
    const node = nodes[this.turn % nodes.length] ?? this.forge
    return `${node.url.replace('//', `//${admin}:${password}@`)}/${path}.git`
  }

  private async commit(folder: string, message: string, file = 'file'): Promise<void> {
    await writeFile(join(folder, file), randomBytes(FILE_BYTES / 2).toString('hex'))
    await this.git(folder, 'add', '--all')
    await this.git(folder, 'commit', '--quiet', '--message', message)
  }

  private async page(path: string): Promise<void> {
    const answer = await fetch(this.forge.url + path, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  }

  private async call(method: string, path: string, body?: object): Promise<unknown> {
    const { url, admin, password } = this.forge
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${admin}:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  private git(folder: string, ...args: string[]): Promise<string> {
    const who = ['-c', 'user.name=Hot', '-c', 'user.email=hot@example.test']
    const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', GIT_TERMINAL_PROMPT: '0' }
    return new Promise((resolve, reject) =>
      execFile(
        'git',
        [...who, ...args],
        { cwd: folder, env, timeout: TIMEOUT_MS },
        (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`git ${args[0]}: ${stderr || error.message}`)),
      ),
    )
  }
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
}
