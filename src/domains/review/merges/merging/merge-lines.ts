/**
 * Queues merges into one branch on this node, so that none builds on a base that another is about to move. Only an
 * optimisation: after `WAIT_MS` a merge proceeds anyway, and the compare-and-swap of the base decides.
 */
declare module '#platform/context' {
  interface World {
    readonly mergeLines: MergeLines
  }
}

const WAIT_MS = 20_000

export class MergeLines {
  /** The last merge in each line. */
  private readonly last = new Map<string, Promise<void>>()

  async inTurn<T>(line: string, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const before = this.last.get(line)
    const { promise: own, resolve: leave } = Promise.withResolvers<void>()
    this.last.set(line, own)
    try {
      await atMost(before)
      return await work(before !== undefined)
    } finally {
      leave()
      if (this.last.get(line) === own) this.last.delete(line)
    }
  }
}

async function atMost(before: Promise<void> | undefined): Promise<void> {
  if (before === undefined) return
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, WAIT_MS)
  await Promise.race([before, late])
  clearTimeout(timer)
}
