/** Loaded before a node by `--import`: its clock is wrong by SKEW_MS milliseconds. */
const skewMs = Number(process.env.SKEW_MS ?? 0)
const Real = Date
const now = Real.now.bind(Real)

class Skewed extends Real {
  constructor(...args: readonly unknown[]) {
    if (args.length === 0) super(now() + skewMs)
    else super(...(args as [number]))
  }

  static override now(): number {
    return now() + skewMs
  }
}

globalThis.Date = Skewed as DateConstructor
