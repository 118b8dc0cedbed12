/** A process of git: started one way, under a clock, ended when nobody waits any more, with its last words kept. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Duplex, Readable, Writable } from 'node:stream'
import type { Context } from '#platform/context'
import { argumentsOf, type GitCommand } from './command.ts'
import { gitEnvironment } from './environment.ts'

export interface ProcessOptions {
  readonly timeoutMs: number
  /** Where it stands; of no matter when the repository is among its words. */
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Pipes beyond the usual three, which git hands down to its hooks. */
  readonly pipes?: number
}

export interface GitProcess {
  readonly input: Writable
  readonly output: Readable
  readonly pipes: readonly Duplex[]
  /** Its exit code, when it has ended and everything it said was taken; null when it was killed. */
  readonly ended: Promise<number | null>
  /** The last of what it complained about. */
  said(): string
  kill(): void
}

const SAID_BYTES_MAX = 8_192

export function startProcess(ctx: Context, command: GitCommand, options: ProcessOptions): GitProcess {
  const child = spawn('git', argumentsOf(command), {
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
    env: gitEnvironment(options.environment),
    stdio: Array.from({ length: 3 + (options.pipes ?? 0) }, () => 'pipe' as const),
  })
  const [input, output, , ...pipes] = child.stdio as unknown as [Writable, Readable, Readable, ...Duplex[]]
  // Git may end before it has read everything; how it ended says why.
  for (const pipe of [input, ...pipes]) pipe.on('error', () => undefined)
  const kill = () => void child.kill('SIGKILL')
  return {
    input,
    output,
    pipes,
    ended: watch(ctx, child, options.timeoutMs, kill),
    said: listen(child),
    kill,
  }
}

function watch(
  ctx: Context,
  child: ChildProcess,
  timeoutMs: number,
  kill: () => void,
): Promise<number | null> {
  const timer = setTimeout(kill, timeoutMs)
  ctx.signal.addEventListener('abort', kill, { once: true })
  if (ctx.signal.aborted) kill()
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return ended.finally(() => {
    clearTimeout(timer)
    ctx.signal.removeEventListener('abort', kill)
  })
}

function listen(child: ChildProcess): () => string {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_BYTES_MAX)
  })
  return () => said.trim()
}
