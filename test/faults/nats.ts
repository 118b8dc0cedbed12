/** A NATS server that is stopped and restarted on one port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePorts } from '../../src/cli/free-ports.ts'
import { until } from '../attacks/kit/faults.ts'

export class Nats implements AsyncDisposable {
  readonly url: string
  private readonly port: number
  private readonly monitoringPort: number
  private server: ChildProcess | undefined

  private constructor(port: number, monitoringPort: number) {
    this.port = port
    this.monitoringPort = monitoringPort
    this.url = `nats://127.0.0.1:${port}`
  }

  static async open(): Promise<Nats> {
    const nats = new Nats(await findFreePorts(), await findFreePorts())
    await nats.start()
    return nats
  }

  async start(): Promise<void> {
    const ports = ['-p', String(this.port), '-m', String(this.monitoringPort)]
    this.server = spawn('nats-server', ['-a', '127.0.0.1', ...ports], { stdio: 'ignore' })
    await once(this.server, 'spawn')
    await until('NATS answers', async () => (await this.countConnections()) !== undefined)
  }

  /** Number of clients; undefined while it does not answer. */
  async countConnections(): Promise<number | undefined> {
    const asked = fetch(`http://127.0.0.1:${this.monitoringPort}/connz`)
    const answer = await asked.then((it) => it.json() as Promise<{ num_connections: number }>).catch(() => {})
    return answer?.num_connections
  }

  async kill(): Promise<void> {
    const { server } = this
    this.server = undefined
    if (server === undefined || server.exitCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill()
  }
}
