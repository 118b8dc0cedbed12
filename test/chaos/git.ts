/** The real git client, without the machine's configuration, run for its output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface Said {
  readonly code: number | null
  readonly output: string
  readonly complaint: string
}

/** Timeout; a push that is still running then is a fault. */
const GIT_MS_MAX = 180_000
const ENVIRONMENT = {
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Smith',
  GIT_AUTHOR_EMAIL: 'smith@example.test',
  GIT_COMMITTER_NAME: 'Smith',
  GIT_COMMITTER_EMAIL: 'smith@example.test',
}

export async function tryGit(
  folder: string,
  args: readonly string[],
  input?: string | Buffer,
): Promise<Said> {
  const child = spawn('git', args, {
    cwd: folder,
    env: ENVIRONMENT,
    timeout: GIT_MS_MAX,
    killSignal: 'SIGKILL',
  })
  child.stdin.on('error', () => undefined).end(input)
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, output, complaint }
}

/** Asserts success; returns the output without the last line feed. */
export async function git(folder: string, args: readonly string[], input?: string | Buffer): Promise<string> {
  const { code, output, complaint } = await tryGit(folder, args, input)
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${complaint}`)
  return output.trimEnd()
}
