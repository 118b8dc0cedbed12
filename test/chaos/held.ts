/** A moment of the environment that is made to last: armed, reached by a node, ended by the test. */
import type { Socket } from 'node:net'

/** Data on its way that a proxy holds back. */
export interface Held {
  /** Breaks the connection on both sides; the held data is dropped. */
  reset(): void
}

export class Trap<Point extends string> {
  readonly point: Point
  readonly sprung: Promise<Held>
  private resolve: (held: Held) => void = () => undefined

  constructor(point: Point) {
    this.point = point
    this.sprung = new Promise((resolve) => {
      this.resolve = resolve
    })
  }

  spring(held: Held): void {
    this.resolve(held)
  }
}

/** At most one trap at a time; the first to reach it disarms it. */
export class TrapDoor<Point extends string> {
  private armed: Trap<Point> | undefined

  arm(point: Point): Trap<Point> {
    this.armed = new Trap(point)
    return this.armed
  }

  disarm(): void {
    this.armed = undefined
  }

  take(...points: readonly string[]): Trap<Point> | undefined {
    const found = this.armed
    if (found === undefined || !points.includes(found.point)) return undefined
    this.armed = undefined
    return found
  }
}

/** With a reset, like a pulled cable; a socket that is already closing must not be reset on top of that. */
export function breakOff(socket: Socket): void {
  if (socket.readableEnded || socket.writableEnded || socket.destroyed) socket.destroy()
  else socket.resetAndDestroy()
}
