/** The real git client and other programs, in folders that are deleted with the forge. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Person } from './calls.ts'
import type { Forge } from './forge.ts'

export interface Ran {
  readonly code: number
  readonly said: string
}

const RUN_MS = 120_000
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
const GIT_ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@example.test',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@example.test',
}

/** The code is -1 when the program was killed by its timeout. */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<Ran> {
  const { cwd, env = process.env, timeoutMs = RUN_MS } = options
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES_MAX } as const
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, ...limits }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, said: `${out}${err}`.trim() })
    })
  })
}

export function git(cwd: string, args: readonly string[], timeoutMs = RUN_MS): Promise<Ran> {
  return run('git', args, { cwd, env: { ...process.env, ...GIT_ENVIRONMENT }, timeoutMs })
}

export async function mustGit(cwd: string, ...args: string[]): Promise<string> {
  const { code, said } = await git(cwd, args)
  if (code !== 0) throw new Error(`git ${args[0]}: ${said.slice(-300)}`)
  return said
}

/** A clone to work in. */
export async function clone(
  forge: Forge,
  who: Person,
  repository: string,
  base = forge.base,
): Promise<string> {
  const folder = forge.folder()
  await mustGit(folder, 'clone', '-q', forge.remote(who, repository, base), '.')
  return folder
}

/** Returns the commit id. */
export async function commitFile(folder: string, name: string, content: Buffer | string): Promise<string> {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
  await mustGit(folder, 'add', '-A')
  await mustGit(folder, 'commit', '-qm', `change ${name}`)
  return mustGit(folder, 'rev-parse', 'HEAD')
}
