/**
 * The bus: hints between nodes, such as "check the queue now".
 *
 * Invariant: losing every hint may cost latency, never data. So hints are not stored, not counted and not acknowledged,
 * and a subscriber reads the data itself from PostgreSQL.
 */
import assert from 'node:assert/strict'
import type { Logger } from '#platform/log'
import type { Link } from './bus-nats.ts'

export type Hint = Readonly<Record<string, unknown>>
export type Hear = (data: Hint) => void | Promise<void>

export interface Bus {
  readonly kind: 'in-process' | 'nats'
  /** Hints that this process sent, and received from itself and others. */
  readonly counts: { readonly sent: number; readonly received: number }
  /** Whether hints reach other nodes now. */
  isConnected(): boolean
  /** Never throws and never waits. Subscribers in this process receive it even if other nodes do not. */
  publish(subject: string, data?: Hint): void
  /** Returns a function that unsubscribes. */
  subscribe(subject: string, hear: Hear): () => void
  close(): Promise<void>
}

export interface BusOptions {
  /** URL of NATS, as `nats://host:port`; without it the bus stays inside this process. */
  readonly url?: string | undefined
  readonly log: Logger
}

/** As JSON, in bytes. A hint names what changed; it does not carry it. */
export const HINT_BYTES_MAX = 8_192

const SUBJECT = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

export async function openBus({ url, log }: BusOptions): Promise<Bus> {
  const ears = new Map<string, Set<Hear>>()
  const counts = { sent: 0, received: 0 }
  const deliver = (subject: string, payload: string) => {
    const data = decode(payload)
    if (data === undefined) return log.warn({ 'bus.subject': subject }, 'bus message could not be parsed')
    counts.received += 1
    for (const hear of ears.get(subject) ?? []) hear(data)
  }
  const link = await openLink(url, log, deliver)
  let isOpen = true

  return {
    kind: link === undefined ? 'in-process' : 'nats',
    counts,
    isConnected: () => link?.isUp() ?? false,
    publish(subject, data = {}) {
      if (!isOpen) return
      try {
        const payload = encode(subject, data)
        setImmediate(deliver, subject, payload)
        link?.send(subject, payload)
        counts.sent += 1
      } catch (error) {
        log.error({ err: error, 'bus.subject': subject }, 'bus publish failed')
      }
    },
    subscribe(subject, hear) {
      assert.match(subject, SUBJECT)
      const guarded = guard(subject, hear, log)
      const set = ears.get(subject) ?? new Set()
      if (set.size === 0 && isOpen) link?.watch(subject)
      ears.set(subject, set.add(guarded))
      return () => {
        if (!set.delete(guarded) || set.size > 0) return
        ears.delete(subject)
        link?.unwatch(subject)
      }
    },
    async close() {
      isOpen = false
      ears.clear()
      await link?.close()
    },
  }
}

/** Returns the server that answered; throws when none does. */
export async function probeBus(url: string): Promise<string> {
  const { reachNats } = await import('./bus-nats.ts')
  return reachNats(url)
}

/** The NATS client is loaded only where it is configured, to save memory. */
async function openLink(
  url: string | undefined,
  log: Logger,
  hear: (subject: string, payload: string) => void,
): Promise<Link | undefined> {
  if (url === undefined || url === '') return undefined
  const { openNatsLink } = await import('./bus-nats.ts')
  return openNatsLink({ url, log, hear })
}

/** A failing subscriber does not affect others and is logged once: a broken one would fail at every hint. */
function guard(subject: string, hear: Hear, log: Logger): Hear {
  let hasFailed = false
  return async (data) => {
    try {
      await hear(data)
    } catch (error) {
      if (!hasFailed) log.error({ err: error, 'bus.subject': subject }, 'bus subscriber failed')
      hasFailed = true
    }
  }
}

/** Local and remote hints use the same encoding, so a subscriber cannot tell them apart. */
function encode(subject: string, data: Hint): string {
  assert.match(subject, SUBJECT)
  const payload = JSON.stringify(data)
  assert(Buffer.byteLength(payload) <= HINT_BYTES_MAX, 'a hint is too large')
  return payload
}

/** Other programs may publish on the same server, so input is validated. */
function decode(payload: string): Hint | undefined {
  if (Buffer.byteLength(payload) > HINT_BYTES_MAX) return undefined
  try {
    const data: unknown = JSON.parse(payload)
    return isHint(data) ? data : undefined
  } catch {
    return undefined
  }
}

function isHint(data: unknown): data is Hint {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}
