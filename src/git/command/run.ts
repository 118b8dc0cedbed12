/** Runs git: bounded in time and output, ended when nobody waits any more. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { argumentsOf, type GitCommand } from './command.ts'
import { gitEnvironment } from './environment.ts'

export interface RunOptions {
  /** The repository: a path of a lease or of a scratch folder. */
  readonly path: string
  readonly input?: string | Uint8Array | Readable
  readonly timeoutMs?: number
  readonly outputBytesMax?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** Git ended with another code than 0. What it said is for the log; a caller decides what it means. */
export class GitFailure extends Error {
  override name = 'GitFailure'
  readonly code: number | null
  readonly said: string

  constructor(command: GitCommand, code: number | null, said: string) {
    super(`git ${command.name} ended with ${code}: ${said.slice(0, 500)}`)
    this.code = code
    this.said = said
  }
}

const TIMEOUT_MS = 60_000
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
const SAID_BYTES_MAX = 8_192

/** The whole output, for answers of bounded size. */
export function runGit(ctx: Context, command: GitCommand, options: RunOptions): Promise<Buffer> {
  return ctx.telemetry.traced(`git ${command.name}`, {}, () => collect(ctx, command, options))
}

async function collect(ctx: Context, command: GitCommand, options: RunOptions): Promise<Buffer> {
  const running = startGit(ctx, command, options)
  const chunks: Buffer[] = []
  let bytes = 0
  const most = options.outputBytesMax ?? OUTPUT_BYTES_MAX
  for await (const chunk of running.output as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > most) {
      running.kill()
      throw new Problem('too_large', 'git has more to say than is listened to')
    }
    chunks.push(chunk)
  }
  await running.done
  return Buffer.concat(chunks)
}

export async function gitText(ctx: Context, command: GitCommand, options: RunOptions): Promise<string> {
  return (await runGit(ctx, command, options)).toString('utf8')
}

export interface RunningGit {
  readonly output: Readable
  /** Resolves when git ended well, rejects with what it said when not. */
  readonly done: Promise<void>
  kill(): void
}

/** A process whose output is streamed. */
export function startGit(ctx: Context, command: GitCommand, options: RunOptions): RunningGit {
  const child = spawn('git', argumentsOf(command), {
    cwd: options.path,
    env: gitEnvironment({ GIT_DIR: options.path, ...options.environment }),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Whoever reads may begin late, and Node throws away what nobody listens to when the process ends.
  const output = (child.stdout as Readable).pipe(new PassThrough())
  feed(child, options.input)
  const said = listen(child)
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? TIMEOUT_MS)
  const abort = () => child.kill('SIGKILL')
  ctx.signal.addEventListener('abort', abort, { once: true })
  if (ctx.signal.aborted) abort()
  const done = (async () => {
    try {
      const [code] = (await once(child, 'close')) as [number | null]
      if (code !== 0) throw new GitFailure(command, code, said())
    } finally {
      clearTimeout(timer)
      ctx.signal.removeEventListener('abort', abort)
    }
  })()
  // Whoever only reads the output may never ask how it ended.
  done.catch(() => undefined)
  return { output, done, kill: abort }
}

function feed(child: ChildProcess, input: RunOptions['input']): void {
  const { stdin } = child
  // Git may end before it has read everything; how it ended says why.
  stdin?.on('error', () => undefined)
  if (input === undefined) stdin?.end()
  else if (typeof input === 'string' || input instanceof Uint8Array) stdin?.end(input)
  else if (stdin) input.pipe(stdin)
}

/** The last of what git complains about. */
export function listen(child: ChildProcess): () => string {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_BYTES_MAX)
  })
  return () => said.trim()
}
