/**
 * A git process: started in one way, with a timeout, killed when its request is aborted, with the end of its stderr
 * kept.
 */
import assert from 'node:assert/strict'
import type { Duplex, Writable } from 'node:stream'
import type { Context } from '#platform/context'
import { boundsOf } from './bounds.ts'
import { argumentsOf, type GitCommand } from './command.ts'
import { gitEnvironment } from './environment.ts'

export interface ProcessOptions {
  readonly timeoutMs: number
  /** Receives stdout; ended when stdout closes, however the process ended. */
  readonly output: Writable
  /** Working directory; irrelevant when the repository is an argument. */
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Descriptors beyond the usual three, which git passes on to its hooks. */
  readonly pipes?: number
}

export interface GitProcess {
  readonly input: Writable
  readonly pipes: readonly Duplex[]
  /** Exit code, after the process ended and all its output was forwarded; null when it was killed. */
  readonly ended: Promise<number | null>
  /** The end of stderr. */
  said(): string
  /** How much the process has written to stdout so far. */
  outputBytes(): number
  kill(): void
}

const SAID_BYTES_MAX = 8_192

export function startProcess(ctx: Context, command: GitCommand, options: ProcessOptions): GitProcess {
  const { memoryBytesMax, nice, settings } = boundsOf(ctx, command)
  const started = ctx.spawner.start({
    words: ['git', ...argumentsOf({ ...command, settings: { ...settings, ...command.settings } })],
    folder: options.folder ?? '.',
    environment: gitEnvironment(options.environment),
    streams: 3 + (options.pipes ?? 0),
    memoryBytesMax,
    nice,
  })
  const [input, output, complaints, ...pipes] = started.streams
  assert(input && output && complaints)
  // The sockets are used in one direction each, so close the unused direction at once.
  input.resume()
  for (const stream of [output, complaints]) stream.end()
  output.pipe(options.output)
  const closed = [output, complaints].map((stream) => new Promise((resolve) => stream.once('close', resolve)))
  output.once('close', () => options.output.end())
  const exited = started.exited.finally(() => {
    for (const stream of [input, ...pipes]) stream.end()
    // The reader may be gone; drain so that `close` is emitted.
    output.resume()
  })
  const kill = () => {
    started.kill()
    // Not earlier: the spawner starts a process only when all its streams are connected, and otherwise it would never
    // exit.
    const leave = () => output.destroy()
    exited.then(leave, leave)
  }
  const ended = Promise.all([exited, ...closed]).then(([code]) => code)
  return {
    input,
    pipes,
    ended: watch(ctx, ended, options.timeoutMs, kill),
    said: listen(complaints),
    outputBytes: () => output.bytesRead,
    kill,
  }
}

function watch(
  ctx: Context,
  ended: Promise<number | null>,
  timeoutMs: number,
  kill: () => void,
): Promise<number | null> {
  const timer = setTimeout(kill, timeoutMs)
  ctx.signal.addEventListener('abort', kill, { once: true })
  if (ctx.signal.aborted) kill()
  return ended.finally(() => {
    clearTimeout(timer)
    ctx.signal.removeEventListener('abort', kill)
  })
}

function listen(complaints: Duplex): () => string {
  let said = ''
  complaints.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_BYTES_MAX)
  })
  return () => said.trim()
}
