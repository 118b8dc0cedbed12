/** Compares what was read at two sizes. */
import type { Asked } from './walk.ts'

export interface Grown {
  readonly who: string
  readonly what: string
  readonly small: number
  readonly large: number
  /** The statement that reads most at the large size, and what it read. */
  readonly text: string
  readonly textSmall: number
  readonly textLarge: number
  readonly scans: readonly string[]
}

/** As many pages may be read for one asked at the small size. */
const FACTOR = 2
/** Deeper trees: a page more for each of the rows on a page of a list and the tables beside it. */
const DEEPER = 100
/** Tables with fewer rows are best read whole. */
const SCANNED_MAX = 2_000

export type Walk = Readonly<Record<string, readonly Asked[]>>

export function compare(small: Walk, large: Walk): Grown[] {
  return Object.entries(large)
    .flatMap(([who, all]) =>
      all.map((after): Grown => {
        const before = small[who]?.find(({ what }) => what === after.what)
        const worst = after.costs.toSorted((a, b) => b.pages - a.pages)[0]
        const same = before?.costs.filter(({ text }) => text === worst?.text) ?? []
        const scans = after.costs.flatMap((it) =>
          Object.entries(it.scans)
            .filter(([, rows]) => rows > SCANNED_MAX)
            .map(([table, rows]) => `${table} (${rows})`),
        )
        return {
          who,
          what: after.what,
          small: sum(before),
          large: sum(after),
          text: worst?.text ?? '',
          textSmall: Math.max(0, ...same.map(({ pages }) => pages)),
          textLarge: worst?.pages ?? 0,
          scans: [...new Set(scans)],
        }
      }),
    )
    .toSorted((a, b) => b.large - a.large)
}

export function isFlat({ small, large, scans }: Grown): boolean {
  return large <= small * FACTOR + DEEPER && scans.length === 0
}

function sum(asked: Asked | undefined): number {
  return asked?.costs.reduce((total, { pages }) => total + pages, 0) ?? 0
}
