/** Slow requests: begun now, completed when the test continues. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '#cli'
import { Spawner, type SpawnRequest } from '#git'
import type { Method, Route } from '#platform/rest'
import type { Forge } from './forge.ts'

interface Asked {
  readonly method: Method
  readonly path: string
  readonly type?: string
  /** The version of git's protocol. */
  readonly protocol?: string
}

interface Held {
  /** Sends the rest; returns the status and the body. */
  finish(): Promise<{ readonly status: number; readonly text: string }>
  /** Breaks the connection off. */
  drop(): void
}

const WAIT_MS = 20_000

/**
 * Sends a request without the last bytes of its body. `path` is as the server sees it; an anonymous request has no
 * Authorization.
 */
export function hold(
  forge: Forge,
  authorization: string,
  asked: Asked,
  body: Buffer,
  heldBytes = body.length,
): Held {
  const { method, path, type = 'application/json', protocol } = asked
  const sent = request(`${forge.base}${path}`, {
    method,
    agent: false,
    headers: {
      ...(authorization !== '' && { authorization }),
      ...(protocol !== undefined && { 'git-protocol': protocol }),
      'content-type': type,
      'content-length': String(body.length),
    },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  // `finish` reports the failure.
  answered.catch(() => undefined)
  sent.flushHeaders()
  if (heldBytes < body.length) sent.write(body.subarray(0, body.length - heldBytes))
  return {
    drop: () => void sent.destroy(),
    async finish() {
      sent.end(body.subarray(body.length - heldBytes))
      const [response] = await answered
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }
    },
  }
}

/** Resolves when the next request to a route was admitted; `work` sends it. */
export async function whenOpened<T>(method: Method, path: string, work: () => T): Promise<T> {
  const found = routes.find((it) => it.method === method && it.path === path)
  if (found === undefined) throw new Error(`there is no route ${method} ${path}`)
  const route: Route = found
  const { promise, resolve } = Promise.withResolvers<void>()
  const { open } = route
  const spy = mock.method(route, 'open', async (visit: Parameters<Route['open']>[0]) => {
    const opened = await open(visit)
    resolve()
    return opened
  })
  try {
    const begun = work()
    await within(promise)
    return begun
  } finally {
    spy.mock.restore()
  }
}

/** Resolves when the named git command was started; `work` causes it. */
export async function whenGitStarts<T>(forge: Forge, name: string, work: () => T): Promise<T> {
  const { spawner } = forge.world
  const { promise, resolve } = Promise.withResolvers<void>()
  const spy = mock.method(spawner, 'start', (wish: SpawnRequest) => {
    if (wish.words.includes(name)) resolve()
    return Spawner.prototype.start.call(spawner, wish)
  })
  try {
    const begun = work()
    await within(promise)
    return begun
  } finally {
    spy.mock.restore()
  }
}

function within(promise: Promise<void>): Promise<void> {
  const late = sleep(WAIT_MS, undefined, { ref: false }).then(() => {
    throw new Error('it did not come about in time')
  })
  return Promise.race([promise, late])
}
