/** Runs one pass of the move-in. */
import type { Context } from '#platform/context'
import { type Move, newFacts } from './carry/carry.ts'
import { prune } from './carry/prune.ts'
import { runStep } from './carry/run-step.ts'
import type { Installation } from './source/app-ini.ts'
import type { Source } from './source/source.ts'
import { beginPass, endPass } from './state.ts'
import { STEPS } from './steps.ts'

export interface Instance {
  readonly installation: Installation
  readonly source: Source
}

export async function runPass(
  ctx: Context,
  { installation, source }: Instance,
  tell: (line: string) => void,
): Promise<Move> {
  const { kind, host, name, path } = installation.database
  const pass = await beginPass(ctx, kind === 'sqlite3' ? path : `${kind}://${host}/${name}`)
  const move: Move = { ctx, source, installation, pass, facts: newFacts(), tell }
  if (pass > 1) await prune(move, STEPS)
  for (const step of STEPS) await runStep(move, step)
  await endPass(ctx)
  return move
}
