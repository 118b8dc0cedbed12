/** Plays the recorded scenarios against a forge, and tells what differs from what was recorded. */
import { join } from 'node:path'

interface Difference {
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}
export interface Step {
  readonly step: string
  readonly request: string
  readonly differences: readonly Difference[]
}
interface Expectation {
  readonly stage?: boolean
}
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}
type Call = (
  step: string,
  as: string | null,
  method: string,
  path: string,
  request?: object,
  expectation?: Expectation,
) => Promise<Answer>
interface Stage {
  readonly results: readonly Step[]
  call: Call
  until(as: string, path: string, holds: (answer: Answer) => boolean, seconds?: number): Promise<Answer>
  missed(): number
}

export interface Played {
  readonly steps: readonly Step[]
  /** Recorded steps that were never reached. */
  readonly missed: number
  /** What broke off the scenario, if anything did. */
  readonly broken: string | undefined
}

const SHARED = join(import.meta.dirname, '../../../shared/conformance')
/** For what happens behind a request; not for what a stage call was to begin that failed. */
const WAIT_S = 20
const WAIT_IN_VAIN_S = 0.2
/** What a stage call that failed is taken to have answered: enough for a scenario to go on with. */
const NOTHING: Answer = { status: 0, headers: new Headers(), body: { id: 0, sha1: '', data: [{}] } }

/** Unlike the tool itself, it goes on after a stage call that failed: what it set up may wait, the rest need not. */
export async function play(
  scenario: string,
  forge: { url: string; admin: string; password: string },
): Promise<Played> {
  const { Stage } = (await import(join(SHARED, 'conformance.ts'))) as {
    Stage: new (scenario: string, mode: string, base: string, admin: object, folder: string) => Stage
  }
  const admin = { name: forge.admin, password: forge.password }
  const stage = new Stage(scenario, 'replay', forge.url, admin, SHARED)
  let isInVain = false
  const call = stage.call.bind(stage)
  stage.call = async (step, as, method, path, request = {}, expectation = {}) => {
    if (!expectation.stage) return call(step, as, method, path, request, expectation)
    isInVain = false
    return call(step, as, method, path, request, expectation).catch(() => {
      isInVain = true
      return NOTHING
    })
  }
  const until = stage.until.bind(stage)
  stage.until = (as, path, holds) =>
    until(as, path, holds, isInVain ? WAIT_IN_VAIN_S : WAIT_S).catch(() => NOTHING)
  const story = (await import(join(SHARED, 'scenarios', `${scenario}.ts`))) as {
    default: (stage: Stage) => Promise<void>
  }
  let broken: string | undefined
  try {
    await story.default(stage)
  } catch (error) {
    broken = (error as Error).message
  }
  return { steps: stage.results, missed: stage.missed(), broken }
}
