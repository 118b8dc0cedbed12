/**
 * Free ports on loopback: the first of `count` adjacent ones. They are below the ephemeral range (from 32768 on Linux),
 * so that none is taken before its server has started.
 */

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { OperatorError } from '#platform/operator-error'

const PORTS = [22_000, 32_000] as const
const TRIES_MAX = 50

export async function findFreePorts(count = 1): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const first = randomInt(PORTS[0], PORTS[1] - count)
    const all = Array.from({ length: count }, (_, i) => listenBriefly(first + i))
    const tried = await Promise.allSettled(all)
    if (tried.every(({ status }) => status === 'fulfilled')) return first
  }
  throw new OperatorError(`no ${count} consecutive free ports found`)
}

async function listenBriefly(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
