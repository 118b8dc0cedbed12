/** `--dry-run`: what there is to move, what will not come, and why. Writes nothing. */
import type { Context } from '#platform/context'
import { type Carry, type Move, newFacts, type Step } from './carry/carry.ts'
import { fromOf, isThere } from './carry/run-step.ts'
import type { Instance } from './run.ts'
import { STAYS } from './stays.ts'
import { STEPS } from './steps.ts'

export interface PlannedStep {
  readonly name: string
  readonly rows: number
  /** Why rows of this table do not come. */
  readonly stays?: string
}

export async function* planMove(
  ctx: Context,
  { installation, source }: Instance,
): AsyncGenerator<PlannedStep> {
  const move: Move = { ctx, source, installation, pass: 1, facts: newFacts(), tell: () => {} }
  for (const step of STEPS.filter(isCarry)) {
    if (!isThere(move, step)) continue
    yield { name: step.name, rows: await count(move, fromOf(step.from)) }
  }
  for (const [table, stays] of Object.entries(STAYS))
    if (source.has(table)) yield { name: table, rows: await count(move, `"${table}" as part`), stays }
}

function isCarry(step: Step): step is Carry {
  return step.kind === 'carry'
}

async function count({ source }: Move, from: string): Promise<number> {
  const [row] = await source.rows(`select count(*) as n from ${from}`)
  return Number(row?.n ?? 0)
}
