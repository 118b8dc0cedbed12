/**
 * Slots to run git. A request holds one slot for all its processes, so it never waits for itself. A request that finds
 * no slot queues for a limited time, and the queue is bounded. Anonymous visitors share a part of the slots and each
 * visitor is limited, so that no visitor can take all of them. Background work is not limited here but by the number of
 * job workers. Anonymous visitors also have a ration of time (`Rations`).
 */
import type { ClientUse } from '#platform/client-use'
import type { Config } from '#platform/config'
import type { Context, Visitor } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Rations } from './rations.ts'

declare module '#platform/context' {
  interface World {
    readonly places: Places
  }
}

interface Stay {
  /** How often the request has entered without leaving. */
  entries: number
  readonly admitted: Promise<void>
  /** Undefined while it waits. */
  admittedAt?: number
}

interface Waiting {
  readonly visitor: Visitor
  readonly admit: () => void
}

/** A visitor may have 1/LINE_PART of `git.waiting_max` requests queued. */
const LINE_PART = 4
const RETRY_AFTER_S = 5

export class Places {
  private readonly config: Config
  private readonly stays = new Map<Visitor, Stay>()
  /** Slots taken: in total, by anonymous visitors, and by each visitor. */
  private taken = 0
  private takenByNobody = 0
  private readonly takenBy = new Map<string, number>()
  private line: Waiting[] = []
  readonly rations: Rations | undefined
  private readonly clientUse: ClientUse | undefined

  /** Requests that have a slot, and requests that wait for one. */
  get counts(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.taken, waiting: this.line.length }
  }

  constructor(config: Config, rations?: Rations, clientUse?: ClientUse) {
    this.config = config
    this.rations = rations
    this.clientUse = clientUse
  }

  close(): void {
    this.rations?.close()
    this.clientUse?.close()
  }

  /** Resolves when a slot is free, with a function that releases it. */
  async enter({ visitor, signal }: Context): Promise<() => void> {
    if (visitor === undefined) return () => undefined
    const stay = this.stays.get(visitor) ?? this.begin(visitor, signal)
    stay.entries += 1
    let isOver = false
    const leave = () => {
      if (isOver) return
      isOver = true
      stay.entries -= 1
      if (stay.entries > 0) return
      this.stays.delete(visitor)
      if (stay.admittedAt !== undefined) this.charge(visitor, performance.now() - stay.admittedAt)
      stay.admitted.then(
        () => this.giveBack(visitor),
        () => undefined,
      )
    }
    try {
      await stay.admitted
      stay.admittedAt ??= performance.now()
    } catch (error) {
      leave()
      throw error
    }
    return leave
  }

  private charge(visitor: Visitor, ms: number): void {
    this.rations?.charge(visitor, ms)
    this.clientUse?.count(visitor, { git_ms: ms })
  }

  private begin(visitor: Visitor, signal: AbortSignal): Stay {
    this.rations?.assertLeft(visitor)
    const stay: Stay = { entries: 0, admitted: this.admit(visitor, signal) }
    this.stays.set(visitor, stay)
    return stay
  }

  private async admit(visitor: Visitor, signal: AbortSignal): Promise<void> {
    if (this.hasRoom(visitor)) return this.count(visitor, 1)
    const own = this.line.filter((it) => keyOf(it.visitor) === keyOf(visitor)).length
    const most = this.config['git.waiting_max']
    if (this.line.length >= most || own >= most / LINE_PART) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { visitor, admit: resolve }
    const giveUp = () => {
      this.line = this.line.filter((it) => it !== waiting)
      reject(busy())
    }
    this.line.push(waiting)
    const timer = setTimeout(giveUp, this.config['git.waiting_ms_max'])
    signal.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    })
  }

  private hasRoom(visitor: Visitor): boolean {
    return (
      this.taken < this.config['git.places_max'] &&
      (visitor.lane !== 'nobody' || this.takenByNobody < this.config['git.places_nobody_max']) &&
      (this.takenBy.get(keyOf(visitor)) ?? 0) < this.config['git.places_visitor_max']
    )
  }

  /** Signed-in visitors come first, then the longest waiting. */
  private giveBack(visitor: Visitor): void {
    this.count(visitor, -1)
    for (const isNobody of [false, true])
      for (const waiting of this.line.filter((it) => (it.visitor.lane === 'nobody') === isNobody)) {
        if (this.taken >= this.config['git.places_max']) return
        if (!this.hasRoom(waiting.visitor)) continue
        this.line = this.line.filter((it) => it !== waiting)
        this.count(waiting.visitor, 1)
        waiting.admit()
      }
  }

  private count(visitor: Visitor, by: 1 | -1): void {
    const key = keyOf(visitor)
    const own = (this.takenBy.get(key) ?? 0) + by
    if (own === 0) this.takenBy.delete(key)
    else this.takenBy.set(key, own)
    this.taken += by
    if (visitor.lane === 'nobody') this.takenByNobody += by
  }
}

function keyOf({ lane, key }: Visitor): string {
  return `${lane} ${key}`
}

function busy(): Problem {
  return new Problem('unavailable', 'server is busy, please try again later', {
    retryAfterS: RETRY_AFTER_S,
  })
}
