/** Plays a scenario against a forge, and returns how its answers differ from the recording. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Stage, type Step } from './stage.ts'

const FOLDER = join(import.meta.dirname, 'scenarios')

/** The names of all scenarios. */
export const SCENARIOS: readonly string[] = readdirSync(FOLDER)
  .map((file) => file.replace(/\.ts$/, ''))
  .sort()

export interface Played {
  readonly steps: readonly Step[]
  /** The number of recorded steps that the scenario did not reach. */
  readonly missed: number
  /** The error that stopped the scenario. */
  readonly broken: string | undefined
}

export async function playScenario(
  scenario: string,
  forge: { readonly url: string; readonly admin: string; readonly password: string },
): Promise<Played> {
  const stage = new Stage(scenario, forge)
  const { play } = (await import(join(FOLDER, `${scenario}.ts`))) as {
    play: (stage: Stage) => Promise<void>
  }
  const broken = await play(stage).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { steps: stage.results, missed: stage.missed(), broken }
}
