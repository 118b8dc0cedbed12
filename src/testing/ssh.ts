/** A forge with a real sshd, and the real ssh and git with keys of users. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Config } from '#platform/config'
import type { World } from '#platform/context'
import { startSsh } from '#ssh'
import { findFreePorts } from '../cli/free-ports.ts'
import { ensureLoginUser, isRoot } from '../ssh/login-user.ts'
import type { Forge } from './forge.ts'
import { startForge } from './index.ts'

const TIMEOUT_MS = 120_000
const TRIES_MAX = 3
const USER = isRoot() ? 'git' : userInfo().username

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export class SshForge implements AsyncDisposable {
  readonly forge: Forge
  readonly port: number
  /** Holds the keys by name, and work trees of the test. */
  readonly work: string
  /** `user@host` for ssh. */
  readonly host = `${USER}@127.0.0.1`
  private stopSsh: ((drainMs: number) => Promise<void>) | undefined

  private constructor(forge: Forge, port: number, work: string) {
    this.forge = forge
    this.port = port
    this.work = work
  }

  /** Retries: a port that is free now may be taken a moment later. */
  static async open(config: Partial<Config> = {}): Promise<SshForge> {
    const work = await mkdtemp(join(tmpdir(), 'bloomery-ssh-'))
    // sshd's session user must be able to traverse to the SSH folder inside it.
    await chmod(work, 0o711)
    if (isRoot()) await ensureLoginUser(USER)
    for (let tries = 1; ; tries++) {
      const port = await findFreePorts()
      const forge = await startForge({
        config: { 'ssh.listen_port': port, 'ssh.folder': join(work, 'ssh'), 'ssh.user': USER, ...config },
      })
      const opened = new SshForge(forge, port, work)
      try {
        await opened.start()
        return opened
      } catch (error) {
        await forge[Symbol.asyncDispose]()
        if (tries === TRIES_MAX) throw error
      }
    }
  }

  async start(other: Partial<World> = {}): Promise<void> {
    this.stopSsh = await startSsh({ ...this.forge.world, ...other })
  }

  async stop(): Promise<void> {
    await this.stopSsh?.(0)
  }

  urlOf(owner: string, repo: string): string {
    return `ssh://${this.host}:${this.port}/${owner}/${repo}.git`
  }

  /** Returns the public key. */
  async makeKey(name: string): Promise<string> {
    const file = join(this.work, name)
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', file])
    return readFile(`${file}.pub`, 'utf8')
  }

  /** Makes ssh use this key and no other. */
  flags(key: string): string[] {
    const options = [
      'BatchMode=yes',
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      'StrictHostKeyChecking=no',
      `UserKnownHostsFile=${join(this.work, 'known_hosts')}`,
      'LogLevel=ERROR',
    ].flatMap((it) => ['-o', it])
    return ['-F', '/dev/null', '-p', String(this.port), '-i', join(this.work, key), ...options]
  }

  /** Runs git with a key, whatever its exit code. */
  git(
    key: string,
    args: readonly string[],
    cwd: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    return run('git', args, { cwd, env: { ...this.environment(key), ...more } })
  }

  environment(key: string): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.work,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_SSH_COMMAND: `ssh ${this.flags(key).join(' ')}`,
      GIT_AUTHOR_NAME: key,
      GIT_AUTHOR_EMAIL: `${key}@example.test`,
      GIT_COMMITTER_NAME: key,
      GIT_COMMITTER_EMAIL: `${key}@example.test`,
    }
  }

  /** Runs git and asserts success; returns its output. */
  async gitOk(
    key: string,
    args: readonly string[],
    cwd: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { code, stdout, stderr } = await this.git(key, args, cwd, more)
    assert.equal(code, 0, `git ${args.join(' ')}: ${stderr}`)
    return stdout.trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.forge[Symbol.asyncDispose]()
    await rm(this.work, { recursive: true, force: true })
  }
}

/** Runs a program, whatever its exit code. */
export function run(
  program: string,
  args: readonly string[],
  {
    timeoutMs: timeout = TIMEOUT_MS,
    ...options
  }: { readonly cwd?: string; readonly env?: Record<string, string>; readonly timeoutMs?: number } = {},
  input = '',
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { ...options, timeout }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 255), stdout, stderr }),
    )
    // A program that exits early does not read everything.
    child.stdin?.on('error', () => undefined).end(input)
  })
}
