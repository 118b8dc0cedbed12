/** Reproducible randomness: all random decisions of a run come from one seed. */
import { createHash } from 'node:crypto'

export class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to, but not including, 1. The generator is mulberry32: small, and good enough for tests. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    const found = from[this.below(from.length)]
    if (found === undefined) throw new RangeError('there is nothing to pick from')
    return found
  }

  shuffle<T>(from: readonly T[]): T[] {
    const left = [...from]
    return from.flatMap(() => left.splice(this.below(left.length), 1))
  }

  /** Incompressible bytes, so that a pack is about as large as its content. */
  bytes(count: number): Buffer {
    return createHash('shake256', { outputLength: count }).update(String(this.next())).digest()
  }

  /** An independent generator for a concurrent actor: the order of actors does not affect their random decisions. */
  fork(): Dice {
    return new Dice(this.below(2 ** 32))
  }
}
