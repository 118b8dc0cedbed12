/**
 * Fair queueing: next is the lane, and in it the visitor, that used the least time while others waited. Many requests of
 * one visitor delay another visitor by one of them, and many anonymous requests delay users by one of them.
 */
import type { Visitor } from '../visitor.ts'

export interface Turn<Work> {
  readonly work: Work
  /** Must be called once, when the work is done. */
  readonly charge: (usedMs: number) => void
}

interface Share<Work> {
  readonly key: string
  usedMs: number
  isUnderWay: boolean
  readonly waiting: Work[]
}

interface Lane<Work> {
  usedMs: number
  /** The used time of the visitor served last: a new visitor starts there, without credit for the time before. */
  clockMs: number
  readonly shares: Map<string, Share<Work>>
}

export class Turns<Work> {
  private readonly lanes = new Map<string, Lane<Work>>()
  private clockMs = 0
  private count = 0

  get waiting(): number {
    return this.count
  }

  waitingOf({ lane, key }: Visitor): number {
    return this.lanes.get(lane)?.shares.get(key)?.waiting.length ?? 0
  }

  add({ lane, key }: Visitor, work: Work): void {
    const own = this.lanes.get(lane) ?? { usedMs: 0, clockMs: 0, shares: new Map<string, Share<Work>>() }
    this.lanes.set(lane, own)
    // A lane that was idle gets no credit for it either.
    if (own.shares.size === 0) own.usedMs = Math.max(own.usedMs, this.clockMs)
    const share = own.shares.get(key) ?? { key, usedMs: own.clockMs, isUnderWay: false, waiting: [] }
    own.shares.set(key, share)
    share.waiting.push(work)
    this.count += 1
  }

  take(): Turn<Work> | undefined {
    const waiting = (lane: Lane<Work>) => [...lane.shares.values()].filter((it) => it.waiting.length > 0)
    const lane = leastUsed([...this.lanes.values()].filter((it) => waiting(it).length > 0))
    const share = lane && leastUsed(waiting(lane))
    const work = share?.waiting.shift()
    if (lane === undefined || share === undefined || work === undefined) return undefined
    this.count -= 1
    this.clockMs = lane.usedMs
    lane.clockMs = share.usedMs
    share.isUnderWay = true
    return { work, charge: (usedMs) => charge(lane, share, usedMs) }
  }

  /** For work whose caller has gone. */
  drop({ lane, key }: Visitor, work: Work): void {
    const own = this.lanes.get(lane)
    const share = own?.shares.get(key)
    const at = share?.waiting.indexOf(work) ?? -1
    if (own === undefined || share === undefined || at < 0) return
    share.waiting.splice(at, 1)
    this.count -= 1
    forgetIdle(own, share)
  }
}

function charge<Work>(lane: Lane<Work>, share: Share<Work>, usedMs: number): void {
  lane.usedMs += usedMs
  share.usedMs += usedMs
  share.isUnderWay = false
  forgetIdle(lane, share)
}

/** A share with running work is kept, so that its visitor's next request waits behind those of others. */
function forgetIdle<Work>(lane: Lane<Work>, share: Share<Work>): void {
  if (share.waiting.length === 0 && !share.isUnderWay) lane.shares.delete(share.key)
}

function leastUsed<T extends { readonly usedMs: number }>(all: readonly T[]): T | undefined {
  return all.reduce<T | undefined>(
    (least, it) => (least === undefined || it.usedMs < least.usedMs ? it : least),
    undefined,
  )
}
