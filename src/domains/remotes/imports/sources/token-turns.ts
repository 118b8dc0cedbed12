/** The tokens of one import, used by turns. One that has reached the limit of the source rests until its time. */
import { PutOff } from './put-off.ts'

interface Turn {
  readonly authorization: string | undefined
  restsUntil: number
}

export class TokenTurns {
  private readonly turns: Turn[]
  private next = 0

  /** Values of the Authorization header; undefined asks without credentials. */
  constructor(authorizations: readonly (string | undefined)[]) {
    this.turns = authorizations.map((authorization) => ({ authorization, restsUntil: 0 }))
  }

  /** Throws `PutOff` until the first of them may be used again. */
  take(now: Date): Turn {
    const at = now.getTime()
    for (let i = 0; i < this.turns.length; i++) {
      const turn = this.turns[(this.next + i) % this.turns.length]
      if (turn === undefined || turn.restsUntil > at) continue
      this.next = (this.next + i + 1) % this.turns.length
      return turn
    }
    throw new PutOff(Math.min(...this.turns.map(({ restsUntil }) => restsUntil)) - at)
  }

  rest(turn: Turn, now: Date, waitMs: number): void {
    turn.restsUntil = now.getTime() + waitMs
  }
}
