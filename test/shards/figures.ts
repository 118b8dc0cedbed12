/** Figures of a run, printed as a table with the load of the machine beside each. */
import { loadavg } from 'node:os'

interface Spread {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly count: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1), count: sorted.length }
}

const rows: string[] = ['| what | figure | load |', '|---|---|---|']

export function note(what: string, figure: string): void {
  const row = `| ${what} | ${figure} | ${loadavg()[0]?.toFixed(0)} |`
  rows.push(row)
  console.error(row)
}

export function noteSpread(what: string, values: readonly number[]): void {
  const { p50, p99, max, count } = spreadOf(values)
  note(what, `${short(p50)} ms p50, ${short(p99)} ms p99, ${short(max)} ms max, of ${count}`)
}

export function print(): void {
  console.log(rows.join('\n'))
}

/** `work` and how long it took. */
export async function timed<T>(work: () => Promise<T>): Promise<[ms: number, answer: T]> {
  const from = performance.now()
  const answer = await work()
  return [performance.now() - from, answer]
}

export function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2)
}
