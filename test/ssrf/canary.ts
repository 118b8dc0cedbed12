/** A listener on internal addresses, on every given loopback address, that must never get a connection. */
import { type AddressInfo, createServer, type Server } from 'node:net'

const HOSTS = ['127.0.0.1', '127.255.255.254', '::1']
const TRIES_MAX = 20

export class Canary implements AsyncDisposable {
  /** Addresses that were connected to. */
  readonly heard: string[] = []
  readonly port: number
  private readonly servers: readonly Server[]

  private constructor(port: number, servers: readonly Server[]) {
    this.port = port
    this.servers = servers
    for (const server of servers)
      server.on('connection', (socket) => {
        this.heard.push((server.address() as AddressInfo).address)
        socket.destroy()
      })
  }

  static async open(): Promise<Canary> {
    for (let tries = 1; ; tries++) {
      const servers: Server[] = []
      try {
        for (const host of HOSTS) await listen(servers, host)
        return new Canary(portOf(servers), servers)
      } catch (error) {
        await closeAll(servers)
        // The port that one address gave may be taken at another.
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES_MAX) throw error
      }
    }
  }

  /** An address of the table, with the canary's port. */
  at(address: string): string {
    return address.replace('PORT', String(this.port))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeAll(this.servers)
  }
}

async function listen(servers: Server[], host: string): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(portOf(servers), host, resolve),
    )
    servers.push(server)
  } catch (error) {
    // A machine without IPv6 has no such address, and it cannot be reached there.
    if (!host.includes(':') || (error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error
  }
}

/** The port of the first; 0 lets the machine choose. */
function portOf([first]: readonly Server[]): number {
  return first === undefined ? 0 : (first.address() as AddressInfo).port
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
}
