/** What the forge acknowledged, when, and how to see whether it is still there. */

export type Kind = 'push' | 'merge' | 'issue' | 'comment' | 'file' | 'package' | 'deletion' | 'run' | 'task'

export interface Deed {
  readonly kind: Kind
  /** For messages. */
  readonly name: string
  /** `performance.now()` when the request began, and when it was acknowledged. */
  readonly begunAt: number
  readonly endedAt: number
  /** Asks this node. */
  readonly isThere: (node: string) => Promise<boolean>
}

const ASKED_AT_ONCE = 4

export class Ledger {
  readonly deeds: Deed[] = []
  /** Requests without success, by what was answered. */
  readonly refusals = new Map<string, number>()
  /** Answers that no client may get, whatever the database does. */
  readonly faults: string[] = []
  /** The longest wait for any answer. */
  waitedMsMax = 0

  refused(answer: string): void {
    this.refusals.set(answer, (this.refusals.get(answer) ?? 0) + 1)
  }

  /** The first write that began after this moment and was acknowledged; undefined if there is none yet. */
  firstSince(moment: number): Deed | undefined {
    return this.deeds
      .filter(({ begunAt }) => begunAt > moment)
      .toSorted((one, other) => one.endedAt - other.endedAt)[0]
  }

  counts(deeds: readonly Deed[] = this.deeds): string {
    const byKind = Map.groupBy(deeds, ({ kind }) => kind)
    return [...byKind].map(([kind, some]) => `${some.length} × ${kind}`).join(', ') || 'nothing'
  }

  /** Deeds that are gone; each node is asked for a part of them. */
  async findLost(nodes: readonly string[], deeds: readonly Deed[] = this.deeds): Promise<Deed[]> {
    const lost: Deed[] = []
    for (let i = 0; i < deeds.length; i += ASKED_AT_ONCE) {
      const some = deeds.slice(i, i + ASKED_AT_ONCE)
      const found = await Promise.all(some.map((it, n) => it.isThere(nodes[(i + n) % nodes.length] ?? '')))
      lost.push(...some.filter((_, n) => !found[n]))
    }
    return lost
  }
}
