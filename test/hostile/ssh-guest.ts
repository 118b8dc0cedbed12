/** An SSH client with a key that sends what git would never send. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { HostileForge } from './hostile-forge.ts'
import { ANSWER_MS_MAX } from './wire.ts'

export interface SshAnswer {
  readonly code: number | null
  readonly signal: string | null
  readonly output: Buffer
  readonly complaint: string
}

export class SshGuest {
  private readonly key: string
  private readonly forge: HostileForge

  /** Undefined where there is no SSH. */
  static async open(forge: HostileForge): Promise<SshGuest | undefined> {
    if (forge.sshPort === null) return undefined
    const folder = join(forge.folder, 'ssh')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const key = join(folder, 'id_ed25519')
    await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const made = await forge.call('POST', '/user/keys', {
      title: 'guest',
      key: (await readFile(`${key}.pub`, 'utf8')).trim(),
    })
    if (made.status !== 201) throw new Error(`the key was answered ${made.status}`)
    return new SshGuest(forge, key)
  }

  private constructor(forge: HostileForge, key: string) {
    this.forge = forge
    this.key = key
  }

  /** Sends a command and some bytes, and nothing more. */
  async say(command: string, input: Buffer = Buffer.alloc(0), protocol = ''): Promise<SshAnswer> {
    const options = {
      IdentitiesOnly: 'yes',
      StrictHostKeyChecking: 'no',
      UserKnownHostsFile: '/dev/null',
      BatchMode: 'yes',
      LogLevel: 'ERROR',
      SendEnv: 'GIT_PROTOCOL',
    }
    const flags = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const to = ['-F', '/dev/null', '-i', this.key, '-p', String(this.forge.sshPort), 'git@127.0.0.1']
    const child = spawn('ssh', [...flags, ...to, command], {
      env: { PATH: process.env.PATH ?? '', GIT_PROTOCOL: protocol },
      timeout: ANSWER_MS_MAX,
      killSignal: 'SIGKILL',
    })
    child.stdin.on('error', () => undefined).end(input)
    const [output, complaint, [code, signal]] = await Promise.all([
      buffer(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null, string | null]>,
    ])
    return { code, signal, output, complaint }
  }
}
