/** Compares two ways of doing the same, alternating, so that a busy machine affects both alike. */
import { loadavg } from 'node:os'

export interface Figure {
  readonly name: string
  readonly ours: number
  readonly theirs: number
  /** Our time divided by theirs: below 1 we are faster. The median of the ratios of neighbours. */
  readonly ratio: number
  /** The allowed maximum; undefined where the figure is only reported. */
  readonly most?: number
}

export interface Ways {
  readonly ours: (i: number) => Promise<void>
  readonly theirs: (i: number) => Promise<void>
  /** Before each run, not measured: waits until the run before has fully ended. */
  readonly rest?: () => Promise<void>
}

/** Milliseconds of each: once unmeasured, then a number of times, alternating. */
export async function compare(
  name: string,
  ways: Ways,
  options: { times: number; most?: number },
): Promise<Figure> {
  const rested = async (way: (i: number) => Promise<void>, i: number) => {
    await ways.rest?.()
    return time(() => way(i))
  }
  await ways.ours(-1)
  await ways.theirs(-1)
  const pairs: { ours: number; theirs: number }[] = []
  for (let i = 0; i < options.times; i++) {
    // The first to run may pay for the other, so the order alternates, too.
    const theirsFirst = i % 2 === 1 ? await rested(ways.theirs, i) : undefined
    const ours = await rested(ways.ours, i)
    pairs.push({ ours, theirs: theirsFirst ?? (await rested(ways.theirs, i)) })
  }
  return tell({
    name,
    ours: median(pairs.map((it) => it.ours)),
    theirs: median(pairs.map((it) => it.theirs)),
    ratio: median(pairs.map((it) => it.ours / it.theirs)),
    ...(options.most === undefined ? {} : { most: options.most }),
  })
}

export function tell(figure: Figure): Figure {
  const { name, ours, theirs, ratio, most } = figure
  const verdict = most === undefined ? '' : ratio <= most ? `  within ${most}` : `  ABOVE ${most}`
  const load = loadavg()[0]?.toFixed(1)
  console.log(
    `${name.padEnd(58)} ${round(ours)} ms against ${round(theirs)} ms: ${ratio.toFixed(2)}${verdict}  (load ${load})`,
  )
  return figure
}

export async function time(act: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

export function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN
}

function round(ms: number): number {
  return Number(ms.toPrecision(4))
}
