/** The real git and git-lfs in their own folders. The forge's address leads to its node, as behind a proxy. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, run } from '#testing/ssh'

export class LfsClient implements AsyncDisposable {
  readonly folder: string
  /** For one command. */
  timeoutMs = 120_000
  private readonly environment: Record<string, string>

  private constructor(folder: string, environment: Record<string, string>) {
    this.folder = folder
    this.environment = environment
  }

  /** `base` is the address of the node that answers; `more` has what SSH needs. */
  static async open(base: string, more: Readonly<Record<string, string>> = {}): Promise<LfsClient> {
    const folder = await mkdtemp(join(tmpdir(), 'bloomery-lfs-'))
    const client = new LfsClient(folder, {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Ann',
      GIT_AUTHOR_EMAIL: 'ann@example.test',
      GIT_COMMITTER_NAME: 'Ann',
      GIT_COMMITTER_EMAIL: 'ann@example.test',
      http_proxy: base,
      ...more,
    })
    await client.ok('lfs', 'install', '--skip-repo')
    await client.ok('config', '--global', 'init.defaultBranch', 'main')
    return client
  }

  run(...args: string[]): Promise<Ended> {
    return this.runIn(this.folder, ...args)
  }

  runIn(cwd: string, ...args: string[]): Promise<Ended> {
    return run('git', args, { cwd, env: this.environment, timeoutMs: this.timeoutMs })
  }

  async ok(...args: string[]): Promise<string> {
    return this.okIn(this.folder, ...args)
  }

  async okIn(cwd: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.runIn(cwd, ...args)
    assert.equal(code, 0, `git ${args.join(' ')}: ${stdout}${stderr}`)
    return `${stdout}${stderr}`.trim()
  }

  /** A work tree that tracks `*.bin` with LFS. */
  async clone(url: string, name: string): Promise<string> {
    await this.ok('clone', '-q', url, name)
    const tree = join(this.folder, name)
    await this.okIn(tree, 'lfs', 'track', '*.bin')
    return tree
  }

  async commit(tree: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) await writeFile(join(tree, name), content)
    await this.okIn(tree, 'add', '-A')
    await this.okIn(tree, 'commit', '-q', '-m', Object.keys(files).join(', '))
  }

  read(tree: string, name: string): Promise<Buffer> {
    return readFile(join(tree, name))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}
