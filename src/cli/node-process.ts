/** A node as a separate process: `bloomery serve` with its settings in the environment. */

import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Config, nodeOptions, searchPath, settingVariable } from '#platform/config'
import { must } from '#platform/must'

export interface Node {
  readonly url: string
  readonly pid: number
  readonly ended: Promise<void>
  stop(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
/** Without types to strip again, a node starts faster and is 30 MiB smaller. Private: it is code that will be run. */
export const COMPILE_CACHE = join(homedir(), '.cache/bloomery/compile')
/**
 * In MiB, half of V8's young generation. Loading the code would make V8 grow it to 32 and keep it: 50 MiB of an idle
 * node.
 */
const YOUNG_MIB = 8
const READY_MS = 60_000
const READY_PAUSE_MS = 50

export interface NodeOptions {
  /** Arguments of `serve`. */
  readonly args?: readonly string[]
  readonly readyMs?: number
  /** Descriptor of a file for its log. */
  readonly log?: number
  /** The program; another release's in the proof of upgrades. */
  readonly main?: string
}

/**
 * Starts a node and waits until it is ready; one that is not ready in time is stopped. `settings` must name host and
 * port.
 */
export async function startNode(settings: Partial<Config>, options: NodeOptions = {}): Promise<Node> {
  const environment: Record<string, string> = {}
  // Nothing that checks the health of these nodes must notice first, and several nodes cannot share the default port.
  const given = { 'http.drain_ms': 0, 'operations.port': 0, ...settings }
  for (const [name, value] of Object.entries(given)) environment[settingVariable(name)] = String(value)
  const child = spawn(process.execPath, [options.main ?? MAIN, 'serve', ...(options.args ?? [])], {
    // The channel carries no messages; when it closes, the node knows that its parent is gone.
    stdio: ['ignore', 'inherit', options.log ?? 'inherit', 'ipc'],
    // Its own process group: Ctrl-C reaches the parent first, which stops the nodes in order.
    detached: true,
    env: {
      ...searchPath(),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      // glibc: memory freed by one thread is reused by others, which saves 5 MiB at rest.
      MALLOC_ARENA_MAX: '2',
      // Options of the operator, such as preloaded modules, are kept.
      NODE_OPTIONS: `${nodeOptions()} --max-semi-space-size=${YOUNG_MIB}`.trim(),
      ...environment,
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://${settings['http.host']}:${settings['http.port']}`
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  try {
    await untilReady(url, options.readyMs ?? READY_MS, hasEnded)
  } catch (error) {
    child.kill('SIGKILL')
    await ended
    throw error
  }
  return {
    url,
    pid: must(child.pid, 'it was ready, so it runs'),
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function untilReady(url: string, readyMs: number, hasEnded: () => boolean): Promise<void> {
  const deadline = performance.now() + readyMs
  while (performance.now() < deadline) {
    if (hasEnded()) throw new Error(`node on ${url} failed to start`)
    const isReady = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await sleep(READY_PAUSE_MS)
  }
  throw new Error(`node on ${url} timed out while starting`)
}
