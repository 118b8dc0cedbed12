/** Starts a forge as a user would: `node src/main.ts try`, and waits for its line of JSON. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Login } from '../src/cli/demo/demo.ts'
import { findFreePorts } from '../src/cli/free-ports.ts'

export interface TriedForge extends AsyncDisposable {
  readonly url: string
  readonly admin: string
  readonly password: string
  readonly pid: number
  /** Null where there is no sshd. */
  readonly ssh_port: number | null
  readonly nodes: readonly { url: string; pid: number }[]
  /** With `--demo`. */
  readonly logins?: readonly Login[]
}

/** As many adjacent ports as the largest forge of several nodes has. */
const NODES_MAX = 5
/** Longer than a forge of several nodes takes on a busy machine. */
const READY_MS_MAX = 300_000
const MAIN = join(import.meta.dirname, '../src/main.ts')

/** `hear` is called with every output line of it and its nodes. */
export async function tryForge(
  args: readonly string[] = [],
  hear?: (line: string) => void,
): Promise<TriedForge> {
  const port = await findFreePorts(NODES_MAX)
  const child = spawn(process.execPath, [MAIN, 'try', '--port', String(port), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const late = setTimeout(() => child.kill('SIGTERM'), READY_MS_MAX)
  const lines = createInterface({ input: child.stdout })
  if (hear === undefined) child.stderr.pipe(process.stderr)
  else for (const it of [lines, createInterface({ input: child.stderr })]) it.on('line', hear)
  const line = await Promise.race([
    // Its nodes may print something before it does.
    new Promise<string>((resolve) => lines.on('line', (it) => it.includes('"ready"') && resolve(it))),
    ended.then(() => {
      throw new Error('the forge ended before it was ready')
    }),
  ]).finally(() => clearTimeout(late))
  const ready = JSON.parse(line) as Omit<TriedForge, 'nodes'> & { nodes?: TriedForge['nodes'] }
  return {
    ...ready,
    nodes: ready.nodes ?? [{ url: ready.url, pid: 0 }],
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
