/** For tests: a scripted webhook receiver on this machine, and the queue driven by the clock of the test. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Forge } from '../forge.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers the request, or does not. */
export type Behaviour = (response: ServerResponse, received: Received, count: number) => void

export const welcome: Behaviour = (response) => void response.writeHead(200).end('thanks')
export const refuse: Behaviour = (response) => void response.writeHead(500).end('no')
export const hang: Behaviour = () => {}

export class Receiver implements AsyncDisposable {
  readonly received: Received[] = []
  readonly url: string
  /** The maximum number of concurrent requests. */
  mostAtOnce = 0
  behaviour: Behaviour
  private readonly server: Server

  private constructor(server: Server, behaviour: Behaviour) {
    this.server = server
    this.behaviour = behaviour
    const { port } = server.address() as AddressInfo
    this.url = `http://127.0.0.1:${port}/hook`
  }

  static async open(behaviour: Behaviour = welcome): Promise<Receiver> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const receiver = new Receiver(server, behaviour)
    let atOnce = 0
    server.on('request', async (request, response) => {
      atOnce += 1
      receiver.mostAtOnce = Math.max(receiver.mostAtOnce, atOnce)
      response.on('close', () => {
        atOnce -= 1
      })
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString('utf8')
      const { method = '', url: path = '', headers } = request
      const received = { method, path, headers, body }
      receiver.received.push(received)
      receiver.behaviour(response, received, receiver.received.length)
    })
    return receiver
  }

  /** Delivery UUIDs, in order of arrival, with repetitions. */
  get uuids(): string[] {
    return this.received.map(({ headers }) => String(headers['x-gitea-delivery']))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** Advances the time first: the queue uses PostgreSQL's clock, tests their own. */
export async function later(forge: Forge, ms: number): Promise<void> {
  forge.advance(ms)
  await forge.makeJobsDue()
  await forge.runJobs()
}
