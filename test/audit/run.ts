/**
 * Checks every demand of the specification on a throw-away forge of three nodes, each request on the next node, and prints
 * the totals by operation.
 *
 *   node test/audit/run.ts [--only group,…] [--nodes N] [--record]
 *
 * Exits with 1 when the forge deviates where no decision allows it. With `--record` it writes the demands to `demands.txt`.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { tryForge } from '../try-forge.ts'
import { DEMANDS, lineOf, readDemands } from './demands.ts'
import { GROUPS, playGroup } from './groups.ts'
import { findDeviations, findIdle, findOddRefusals, findUnrecorded, type Outcome, outcomeOf } from './held.ts'
import type { Audit } from './kit/audit.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    nodes: { type: 'string', default: '3' },
    record: { type: 'boolean', default: false },
  },
})
const OUTCOMES = ['met', 'decided', 'deviates'] as const

const names = values.only?.split(',') ?? Object.keys(GROUPS)
const audits: Audit[] = []
await using forge = await tryForge(['--nodes', values.nodes, '--set', 'outbound.allow_private=true'])
const site = { bases: forge.nodes.map(({ url }) => url), admin: forge.admin, password: forge.password }
for (const name of names) {
  const began = performance.now()
  const audit = await playGroup(site, name)
  audits.push(audit)
  console.log(
    `${name}: ${audit.questions.length} questions in ${((performance.now() - began) / 1000).toFixed(1)} s`,
  )
}
const questions = audits.flatMap((it) => it.questions)
const isWhole = values.only === undefined
if (values.record && isWhole) await writeFile(DEMANDS, `${questions.map(lineOf).sort().join('\n')}\n`)
const faults = [
  ...findDeviations(questions),
  ...(isWhole ? [...findIdle(questions), ...findUnrecorded(questions, readDemands())] : []),
  ...findOddRefusals(audits.flatMap((it) => [...it.client.statuses])),
]
for (const fault of faults) console.log(fault)
tell()
process.exitCode = faults.length > 0 ? 1 : 0

/** One line for each operation, then the total. */
function tell(): void {
  const sums = Map.groupBy(questions, ({ operation }) => operation)
  const sumOf = (title: string, of: typeof questions) => {
    const countOf = (outcome: Outcome) => of.filter((it) => outcomeOf(it) === outcome).length
    return `${title}: ${OUTCOMES.map((it) => `${countOf(it)} ${it}`).join(', ')}`
  }
  for (const [operation, of] of [...sums].sort()) console.log(sumOf(operation, of))
  console.log(sumOf(`all ${questions.length} questions`, questions))
}
