/**
 * Starts processes without blocking the event loop: a fork of Node copies the page tables of its whole memory, so a
 * small perl process forks instead and passes their streams on as socket connections.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { searchPath } from '#platform/config'
import type { Logger } from '#platform/log'

declare module '#platform/context' {
  interface World {
    readonly spawner: Spawner
  }
}

export interface SpawnRequest {
  readonly words: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  /** Number of descriptors, starting at 0. */
  readonly streams: number
  /** Memory limit of the process and of each of its children. */
  readonly memoryBytesMax: number
  /** Niceness, as in `nice -n`. */
  readonly nice?: number
}

export interface Spawned {
  /** Indexed by descriptor. Bytes written to a socket are read by the process from that descriptor, and vice versa. */
  readonly streams: readonly Socket[]
  /** Exit code; null when the process was killed or its exit code was lost. */
  readonly exited: Promise<number | null>
  /** Also kills its children. */
  kill(): void
}

const PROGRAM = fileURLToPath(new URL('./spawner.pl', import.meta.url))
const READY_MS_MAX = 30_000
const RESTART_PAUSE_MS = 100
/** In place of a descriptor number: marks the connection that carries the request. */
const WISH = 0xffff
/** In place of an exit code. */
const KILLED = 0xffff

export class Spawner {
  /** Processes that run now, all that were started, and how long those that ended have run. */
  readonly counts = { running: 0, started: 0, ms: 0 }
  private readonly folder: string
  private readonly log: Logger
  private child: ChildProcess | undefined
  private timer: NodeJS.Timeout | undefined
  private isClosed = false
  private made = 0
  private count = 0

  static async open(log: Logger): Promise<Spawner> {
    const spawner = new Spawner(await mkdtemp(join(tmpdir(), 'bloomery-spawner-')), log)
    await spawner.begin()
    return spawner
  }

  private constructor(folder: string, log: Logger) {
    this.folder = folder
    this.log = log
  }

  start(request: SpawnRequest): Spawned {
    const texts = [
      String(request.streams),
      String(request.memoryBytesMax),
      String(request.nice ?? 0),
      request.folder,
      String(request.words.length),
      ...request.words,
      ...Object.entries(request.environment).flat(),
    ]
    // execve cannot pass a NUL either, and here it would start another argument.
    assert(!texts.some((text) => text.includes('\0')), 'words for a process hold no null character')
    const number = this.count++ % 0xffffffff
    const streams = Array.from({ length: request.streams }, (_, i) => this.connect(headOf(number, i)))
    const text = Buffer.from(texts.join('\0'))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    const control = this.connect(Buffer.concat([headOf(number, WISH), length, text]))
    return { streams, exited: this.measure(hearExit(control)), kill: () => void control.end() }
  }

  /** Kills all running processes. */
  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    const { child } = this
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.stdin?.end()
      await once(child, 'exit')
    }
    await rm(this.folder, { recursive: true, force: true })
  }

  private async measure(exited: Promise<number | null>): Promise<number | null> {
    const startedAt = performance.now()
    this.counts.started += 1
    this.counts.running += 1
    try {
      return await exited
    } finally {
      this.counts.running -= 1
      this.counts.ms += performance.now() - startedAt
    }
  }

  private get socket(): string {
    return join(this.folder, String(this.made))
  }

  private connect(head: Buffer): Socket {
    const socket = connect({ path: this.socket, allowHalfOpen: true })
    // A lost peer shows as the end of its stream and in its exit code.
    socket.on('error', () => undefined)
    socket.write(head)
    return socket
  }

  /** Resolves when the spawner listens. Afterwards it is restarted whenever it exits. */
  private async begin(): Promise<void> {
    this.made += 1
    // Detached, so that Ctrl-C in a terminal reaches only the node, which shuts the spawner down in order. The spawner
    // also exits when its stdin closes, so it never outlives the node.
    const child = spawn('perl', [PROGRAM, this.socket], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
      env: searchPath(),
    })
    this.child = child
    child.stdin.on('error', () => undefined)
    const died = once(child, 'exit').then(([code]) => {
      throw new Error(`process spawner exited with code ${code}`)
    })
    await Promise.race([once(child.stdout, 'data', { signal: AbortSignal.timeout(READY_MS_MAX) }), died])
    died.catch((error: Error) => {
      if (this.isClosed) return
      this.log.error({ err: error }, 'git process spawner exited, restarting')
      this.beginAgain()
    })
  }

  private beginAgain(): void {
    this.timer = setTimeout(() => {
      this.begin().catch((error: Error) => {
        this.log.error({ err: error }, 'git process spawner restart failed')
        if (!this.isClosed) this.beginAgain()
      })
    }, RESTART_PAUSE_MS)
  }
}

function headOf(number: number, part: number): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt32BE(number, 0)
  head.writeUInt16BE(part, 4)
  return head
}

async function hearExit(control: Socket): Promise<number | null> {
  const heard: Buffer[] = []
  control.on('data', (bytes: Buffer) => heard.push(bytes))
  await new Promise((resolve) => control.once('end', () => control.destroy()).once('close', resolve))
  const told = Buffer.concat(heard)
  // A spawner that was killed may have sent only the first byte.
  const code = told.length < 2 ? KILLED : told.readUInt16BE(0)
  return code === KILLED ? null : code
}
