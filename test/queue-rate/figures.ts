/** Figures by name, printed as a plain table. */
import { loadavg } from 'node:os'
import type { Drained } from './drain.ts'
import type { Usage } from './rated-forge.ts'

export type Figures = Record<string, number>

export function print(title: string, figures: Figures): void {
  console.log(`\n${title} (load of the machine ${loadavg()[0]?.toFixed(1)})`)
  const width = Math.max(...Object.keys(figures).map((name) => name.length))
  for (const [name, value] of Object.entries(figures))
    console.log(`  ${name.padEnd(width)}  ${shortened(value).padStart(10)}`)
}

/** The cost of one of `count` items. */
export function costOf(
  what: string,
  { unit, statements, postgresMs, nodesMs }: Usage,
  count: number,
): Figures {
  return {
    [`${unit} ${what}`]: statements / count,
    [`PostgreSQL CPU s ${what}`]: postgresMs / 1000 / count,
    [`node CPU s ${what}`]: nodesMs / 1000 / count,
  }
}

export function figuresOf(drained: Drained): Figures {
  const { seconds, finished, left, failed, usage } = drained
  return {
    'drain: s': seconds,
    'drain: jobs finished': finished,
    'drain: jobs finished a second': finished / seconds,
    ...costOf('a job while draining', usage, finished),
    'jobs left': left,
    'jobs that failed and are still there': failed,
  }
}

/** Whole numbers unchanged, others with four digits. */
function shortened(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)))
}
