/** A process of git: started one way, under a clock, ended when nobody waits any more, with its last words kept. */
import assert from 'node:assert/strict'
import type { Duplex, Writable } from 'node:stream'
import type { Context } from '#platform/context'
import { boundsOf } from './bounds.ts'
import { argumentsOf, type GitCommand } from './command.ts'
import { gitEnvironment } from './environment.ts'

export interface ProcessOptions {
  readonly timeoutMs: number
  /** Where what it says goes; ended when there is no more, however the process ended. */
  readonly output: Writable
  /** Where it stands; of no matter when the repository is among its words. */
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Pipes beyond the usual three, which git hands down to its hooks. */
  readonly pipes?: number
}

export interface GitProcess {
  readonly input: Writable
  readonly pipes: readonly Duplex[]
  /** Its exit code, when it has ended and everything it said was handed on; null when it was killed. */
  readonly ended: Promise<number | null>
  /** The last of what it complained about. */
  said(): string
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
  // They speak one way only; so they are over as soon as it has nothing more to say or to hear.
  input.resume()
  for (const stream of [output, complaints]) stream.end()
  output.pipe(options.output)
  const closed = [output, complaints].map((stream) => new Promise((resolve) => stream.once('close', resolve)))
  output.once('close', () => options.output.end())
  const exited = started.exited.finally(() => {
    for (const stream of [input, ...pipes]) stream.end()
    // Nobody may be there any more to take it.
    output.resume()
  })
  const kill = () => {
    started.kill()
    // Not before: a process is not started without all its streams, and then it does not end either.
    const leave = () => output.destroy()
    exited.then(leave, leave)
  }
  const ended = Promise.all([exited, ...closed]).then(([code]) => code)
  return { input, pipes, ended: watch(ctx, ended, options.timeoutMs, kill), said: listen(complaints), kill }
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
