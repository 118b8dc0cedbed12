/** Runs git with a timeout and bounded output, and kills it when its request is aborted. */
import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { GitCommand } from './command.ts'
import { startProcess } from './process.ts'

export interface RunOptions {
  /** The repository: the path of a lease or of a scratch folder. */
  readonly path: string
  readonly input?: string | Uint8Array | Readable
  readonly timeoutMs?: number
  readonly outputBytesMax?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** Git exited with a code other than 0. Its stderr is for the log; the caller decides what the failure means. */
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

/** Collects the whole output, for output of bounded size. */
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
      throw new Problem('too_large', 'git output is too large')
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
  /** Resolves when git exited with 0, otherwise rejects with a GitFailure. */
  readonly done: Promise<void>
  /** How much git has written so far. */
  outputBytes(): number
  kill(): void
}

/** A process whose output is streamed. */
export function startGit(ctx: Context, command: GitCommand, options: RunOptions): RunningGit {
  // The caller may start reading late, or never.
  const output = new PassThrough()
  const git = startProcess(ctx, command, {
    output,
    folder: options.path,
    environment: { GIT_DIR: options.path, ...options.environment },
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  })
  feed(git.input, options.input)
  const done = git.ended.then((code) => {
    if (code !== 0) throw new GitFailure(command, code, git.said())
  })
  // A caller that only reads the output may never await `done`.
  done.catch(() => undefined)
  return { output, done, outputBytes: git.outputBytes, kill: git.kill }
}

function feed(to: Writable, input: RunOptions['input']): void {
  if (input === undefined || typeof input === 'string' || input instanceof Uint8Array) to.end(input)
  else input.pipe(to)
}
