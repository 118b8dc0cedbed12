/** The real git client in its own folder, as one of the users of a test. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Forge } from './forge.ts'

export interface GitResult {
  readonly code: number
  readonly output: string
}

export class GitClient implements AsyncDisposable {
  readonly folder: string
  readonly remote: string

  private constructor(folder: string, remote: string) {
    this.folder = folder
    this.remote = remote
  }

  /** An empty work tree whose `origin` is a repository of the forge. */
  static async open(forge: Forge, as: string | null, path: string, format = 'sha1'): Promise<GitClient> {
    const url = new URL(`${forge.base}/${path}.git`)
    if (as !== null) url.username = forge.tokenOf(as)
    const client = new GitClient(await mkdtemp(join(tmpdir(), 'bloomery-git-')), url.href)
    await client.ok('init', '--quiet', '--initial-branch=main', `--object-format=${format}`)
    await client.ok('config', 'user.name', 'Ann')
    await client.ok('config', 'user.email', 'ann@example.test')
    await client.ok('remote', 'add', 'origin', client.remote)
    return client
  }

  run(...args: string[]): Promise<GitResult> {
    const env = {
      PATH: process.env.PATH ?? '',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      HOME: '/nonexistent',
    }
    return new Promise((resolve) => {
      const options = { cwd: this.folder, env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 }
      execFile('git', args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, output: stdout + stderr })
      })
    })
  }

  /** Runs git and asserts that it succeeds. */
  async ok(...args: string[]): Promise<string> {
    const { code, output } = await this.run(...args)
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${output}`)
    return output.trim()
  }

  /** Commits a change of one file; returns the commit id. */
  async commit(file: string, content: string): Promise<string> {
    await writeFile(join(this.folder, file), content)
    await this.ok('add', '--all')
    // Random content may begin with NUL, which no argument can hold.
    const said = content.slice(0, 20).replaceAll('\0', '')
    await this.ok('commit', '--quiet', '--message', `${file}: ${said}`)
    return this.ok('rev-parse', 'HEAD')
  }

  /** The current value of a ref at the forge; empty when there is none. */
  async remoteRef(name: string): Promise<string> {
    return (await this.ok('ls-remote', 'origin', name)).split('\t')[0] ?? ''
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }
}
