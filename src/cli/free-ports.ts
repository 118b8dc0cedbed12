/** Ports on loopback that nobody listens on: the first of as many neighbours as are wanted. */
import { once } from 'node:events'
import { createServer } from 'node:net'

const TRIES_MAX = 50

export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const first = await listenBriefly(0)
    const neighbours = Array.from({ length: count - 1 }, (_, i) => first + 1 + i)
    const areFree = await Promise.all(neighbours.map(listenBriefly)).then(
      () => true,
      () => false,
    )
    if (areFree) return first
  }
  throw new Error(`no ${count} consecutive free ports found`)
}

async function listenBriefly(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return address.port
}
