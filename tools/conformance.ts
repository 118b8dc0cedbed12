/** `npm run conformance [scenario …]`: plays scenarios against a fresh forge and prints the differences. */
import { playScenario, SCENARIOS } from '../test/conformance/scenarios.ts'
import { tryForge } from '../test/try-forge.ts'

const asked = process.argv.slice(2)
let equal = 0
let different = 0

await using forge = await tryForge()
for (const scenario of asked.length > 0 ? asked : SCENARIOS) {
  const { steps, missed, broken } = await playScenario(scenario, forge)
  const wrong = steps.filter(({ differences }) => differences.length > 0)
  if (asked.length > 0) for (const step of wrong) print(scenario, step)
  if (broken !== undefined) console.log(`not ok - ${scenario} stopped: ${broken}`)
  equal += steps.length - wrong.length
  different += wrong.length + missed
  console.log(
    `${scenario}: ${steps.length - wrong.length} equal, ${wrong.length} different, ${missed} not reached`,
  )
}
console.log(`${equal} passed, ${different} failed`)

function print(
  scenario: string,
  { step, request, differences }: Awaited<ReturnType<typeof playScenario>>['steps'][number],
) {
  console.log(`not ok - ${scenario} / ${step}\n    ${request}`)
  for (const { path, expected, actual } of differences.slice(0, 12))
    console.log(`    ${path}: ${JSON.stringify(expected)} expected, ${JSON.stringify(actual)} here`)
}
