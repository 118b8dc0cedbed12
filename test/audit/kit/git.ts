/** The real git and ssh-keygen, in folders that are deleted when the audit ends. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Ran {
  readonly code: number
  readonly said: string
}

const RUN_MS_MAX = 60_000
const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** The code is -1 when the program was killed or could not be started. */
export function run(program: string, args: readonly string[], environment: object = {}): Promise<Ran> {
  const env = { ...process.env, ...ENVIRONMENT, ...environment }
  return new Promise((resolve) => {
    execFile(program, args, { env, timeout: RUN_MS_MAX }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, said: `${out}${err}`.trim() })
    })
  })
}

async function must(program: string, args: readonly string[], environment: object = {}): Promise<string> {
  const { code, said } = await run(program, args, environment)
  if (code !== 0) throw new Error(`${program} ${args[0]} ended with ${code}: ${said.slice(-200)}`)
  return said
}

/** A key of ssh-keygen with its private part on disk, until disposed of. */
export class SshKey implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'bloomery-audit-key-'))

  static async make(type = 'ed25519'): Promise<SshKey> {
    const key = new SshKey()
    const bits = type === 'rsa' ? ['-b', '3072'] : []
    await must('ssh-keygen', ['-q', '-t', type, ...bits, '-N', '', '-C', 'audit', '-f', key.file])
    return key
  }

  get file(): string {
    return join(this.#folder, 'key')
  }

  get line(): string {
    return readFileSync(`${this.file}.pub`, 'utf8').trim()
  }

  /** For git over SSH with this key and no other. */
  get environment(): object {
    const options = [
      ...['-o', 'IdentitiesOnly=yes', '-o', 'StrictHostKeyChecking=no'],
      ...['-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
    ]
    return { GIT_SSH_COMMAND: `ssh -i ${this.file} ${options.join(' ')}` }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The public line of a key whose private part is discarded. */
export async function makeKeyLine(type?: string): Promise<string> {
  using key = await SshKey.make(type)
  return key.line
}

/** Clones, commits one file and pushes: returns `pushed`, or the reason of failure. */
export async function tryPush(
  remote: string,
  file: string,
  { environment = {}, config = [] as readonly string[], email = 'x@example.test' } = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bloomery-audit-tree-'))
  const settings = ['user.name=x', `user.email=${email}`, ...config].flatMap((it) => ['-c', it])
  const git = (...args: string[]) => run('git', ['-C', folder, ...settings, ...args], environment)
  try {
    const cloned = await run('git', ['clone', '-q', remote, folder], environment)
    if (cloned.code !== 0) return `clone failed: ${cloned.said.slice(-160)}`
    writeFileSync(join(folder, file), 'x')
    await git('add', '.')
    const committed = await git('commit', '-qm', file)
    if (committed.code !== 0) return `commit failed: ${committed.said.slice(-160)}`
    const { code, said } = await git('push', '-q')
    return code === 0 ? 'pushed' : `refused: ${said.slice(-160)}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
