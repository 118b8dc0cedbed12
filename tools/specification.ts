/**
 * `npm run specification`: writes `docs/specification.md`, one row per operation of the specification: its recorded
 * steps, the number of demands that the audit tests, the test that covers it, and the decisions that concern it; and
 * `docs/specification-demands.md`, which lists the demands. With `--check` it writes nothing, and fails if a page is
 * outdated, or an operation is not served or not covered.
 */
import assert from 'node:assert/strict'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { routes } from '../src/cli/forge.ts'
import { DECIDED } from '../test/conformance/decided.ts'
import { SCENARIOS } from '../test/conformance/scenarios.ts'
import { readRecorded } from '../test/conformance/stage.ts'
import { auditedDecisions, countDemands, demandsLink, demandsPage } from './specification-demands.ts'
import { OWN_PROOFS } from './specification-proofs.ts'

const PAGE = new URL('../docs/specification.md', import.meta.url)
const DEMANDS_PAGE = new URL('../docs/specification-demands.md', import.meta.url)
const DECISIONS = new URL('../docs/decisions.md', import.meta.url)
const OPERATIONS = 42

interface Operation {
  readonly method: string
  readonly path: string
}
interface Recorded {
  readonly scenario: string
  readonly steps: number
}

const HEAD = `# The specification, operation by operation

This page names the tests of each of the ${OPERATIONS} operations of the specification, all of which are served. The columns name the recorded scenarios of Gitea that call the
operation (the three with most steps, and how many steps CI compares with a running forge), the number of [demands](specification-demands.md) that the
audit checks, a test of our own through the front door, and the [decisions](decisions.md) that apply. \`npm run specification\` writes this page from the
tests, and CI checks it.

| operation | recorded | demands | test | decisions |
|---|---|---|---|---|
`

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const decisions = new Map(Object.keys(OWN_PROOFS).map((name) => [name, decisionsOf(name)]))
for (const [file, page] of [
  [PAGE, await writePage()],
  [DEMANDS_PAGE, demandsPage(decisions)],
] as const)
  if (values.check)
    assert.equal(await readFile(file, 'utf8'), page, 'npm run specification writes another page')
  else await writeFile(file, page)

/** Decisions named by the proof and by the audit, by number. */
function decisionsOf(name: string): string[] {
  const all = new Set([...(OWN_PROOFS[name]?.decisions ?? []), ...auditedDecisions(name)])
  return [...all].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
}

async function writePage(): Promise<string> {
  const requests = readRequests()
  const decided = await readFile(DECISIONS, 'utf8')
  const rows: string[] = []
  for (const [name, own] of Object.entries(OWN_PROOFS)) {
    const [method = '', path = ''] = name.split(' ')
    const operation = { method, path }
    assertServed(operation, name)
    const recorded = recordedOf(operation, requests)
    assert.ok(recorded.length > 0, `nothing is recorded and held of ${name}`)
    await assertComesBy(own.test, operation, name)
    const bearing = decisions.get(name) ?? []
    for (const it of bearing) assert.ok(decided.includes(`| ${it} |`), `${it} is no decision`)
    const demands = `[${countDemands(name)}](${demandsLink(name)})`
    const held = recorded.map(({ scenario, steps }) => `${scenario} (${steps})`).join(', ')
    const test = `[${own.test}](../${own.test})`
    rows.push(`| \`${name}\` | ${held} | ${demands} | ${test} | ${bearing.join(', ')} |`)
  }
  assert.equal(rows.length, OPERATIONS)
  return `${HEAD}${rows.join('\n')}\n`
}

/** The requests of every step that must match, by scenario. */
function readRequests(): ReadonlyMap<string, readonly string[]> {
  const requests = new Map<string, string[]>()
  for (const scenario of SCENARIOS) {
    const decided = DECIDED[scenario] ?? {}
    const held = Object.entries(readRecorded(scenario)).filter(([step]) => !(step in decided))
    requests.set(
      scenario,
      held.map(([, { request }]) => request.replace(/^[^:]+: /, '')),
    )
  }
  return requests
}

/** The scenarios with the most steps; scenarios that only pass by are not named. */
function recordedOf(
  { method, path }: Operation,
  requests: ReadonlyMap<string, readonly string[]>,
): Recorded[] {
  const pattern = new RegExp(`^${method} ${path.replace(/\{[^}]+\}/g, '[^/?]+')}(\\?|$)`)
  return [...requests]
    .map(([scenario, lines]) => ({ scenario, steps: lines.filter((line) => pattern.test(line)).length }))
    .filter(({ steps }) => steps > 0)
    .sort((a, b) => b.steps - a.steps)
    .slice(0, 3)
}

function assertServed({ method, path }: Operation, name: string): void {
  const blank = (text: string) => text.replace(/\{[^}]+\}|:[^/]+/g, '*')
  const isServed = routes.some((route) => route.method === method && blank(route.path) === blank(path))
  assert.ok(isServed, `${name} is not served`)
}

/** As far as a text search can tell: the file exists, and contains the method and the last word of the path. */
async function assertComesBy(test: string, { method, path }: Operation, name: string): Promise<void> {
  const files = await Array.fromAsync(glob(test))
  assert.equal(files.length, 1, `${test} is not there`)
  const text = await readFile(test, 'utf8')
  const word = path.split('/').findLast((it) => it !== '' && !it.startsWith('{')) ?? ''
  assert.ok(text.includes(method) && text.includes(word), `${test} does not come by ${name}`)
}
