/**
 * The setup of a journey: several nodes behind one address, as users reach them, and a browser. The node in front can be
 * killed with -9 in the middle; the user continues on the next one and must find everything they wrote.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { SeededForge } from '../../../src/cli/demo/forge.ts'
import { type TriedForge, tryForge } from '../../try-forge.ts'
import { openHeadlessShell } from '../chromium.ts'
import { Hand, type Way } from './hand.ts'

/** Passkeys need a host name and a secure context. */
const URL_OF_ALL = 'http://forge.test'
const NODES = 3

export class JourneyForge {
  readonly browser: Browser
  /** Seeds data and checks results over the one node that is never killed. */
  readonly seeded: SeededForge
  readonly #alive: { readonly url: string; readonly pid: number }[]

  private constructor(browser: Browser, tried: TriedForge, alive: { url: string; pid: number }[]) {
    this.browser = browser
    this.#alive = alive
    this.seeded = new SeededForge({ ...tried, url: alive.at(-1)?.url ?? '' })
  }

  /** For the tests of the calling file; stopped after them. */
  static async start(openBrowser = openHeadlessShell): Promise<JourneyForge> {
    const { TEST_POSTGRES_BIN: bin } = process.env
    const settings = [`http.url=${URL_OF_ALL}`, 'registration.mode=invite', 'live.poll_ms=1000'].flatMap(
      (it) => ['--set', it],
    )
    const tried = await tryForge(
      ['--ssh-port', '0', '--nodes', String(NODES), ...settings, ...(bin ? ['--postgres', bin] : [])],
      () => undefined,
    )
    const alive = [...tried.nodes]
    const front = await openFront(() => new URL(alive[0]?.url ?? ''))
    const browser = await openBrowser([
      `--host-resolver-rules=MAP forge.test:80 127.0.0.1:${front.port}`,
      `--unsafely-treat-insecure-origin-as-secure=${URL_OF_ALL}`,
    ])
    after(async () => {
      await browser.close()
      front.close()
      await tried[Symbol.asyncDispose]()
    })
    return new JourneyForge(browser, tried, alive)
  }

  hand(way: Way): Promise<Hand> {
    return Hand.at(this.browser, way, URL_OF_ALL)
  }

  /** Kills the node in front with -9, whatever it is doing. */
  kill(): void {
    const [dead, ...left] = this.#alive
    if (dead === undefined || left.length === 0) throw new Error('the last node is not killed')
    process.kill(dead.pid, 'SIGKILL')
    this.#alive.shift()
  }
}

/** Forwards each connection to the node currently in front. A node that dies takes its connections along. */
async function openFront(target: () => URL): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined).once('close', () => open.delete(socket))
    return socket
  }
  const server: Server = createServer((client) => {
    const { hostname, port } = target()
    const node = keep(connect(Number(port), hostname))
    keep(client).pipe(node).pipe(client)
    client.once('close', () => node.destroy())
    node.once('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
