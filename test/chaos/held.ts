/** A moment of the outside world that is made to last: armed, reached by somebody, ended by the test. */
import type { Socket } from 'node:net'

/** Something on its way that a proxy keeps to itself. */
export interface Held {
  /** Breaks the connection on both sides; what was kept is dropped. */
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

/** At most one trap at a time; whoever springs it takes it away. */
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

/** With a reset, as a cable that is pulled; a socket that is being closed already must not be reset on top of that. */
export function breakOff(socket: Socket): void {
  if (socket.readableEnded || socket.writableEnded || socket.destroyed) socket.destroy()
  else socket.resetAndDestroy()
}
