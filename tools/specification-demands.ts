/**
 * Writes the page of the demands that the audit tests, per operation, from the audit's record. Demands that differ in
 * one word share a line.
 */
import assert from 'node:assert/strict'
import { DECIDED } from '../test/audit/decided.ts'
import { type Demand, readDemands } from '../test/audit/demands.ts'
import { KINDS } from '../test/audit/kit/refusals.ts'

/** Smaller families are listed one by one. */
const FAMILY_MIN = 3
/** Further values are only counted, because the same odd values are tested everywhere. */
const VALUES_SHOWN_MAX = 12
/** Quoted text is one word, even with spaces. */
const WORD = /«[^»]*»|"(?:\\.|[^"\\])*"|\S+/g
const GAP = '…'

const BY_OPERATION = Map.groupBy(readDemands(), ({ operation }) => operation)

export function countDemands(operation: string): number {
  return BY_OPERATION.get(operation)?.length ?? 0
}

/** Decisions that the audit names for an operation: for an allowed deviation, or an added kind of refusal. */
export function auditedDecisions(operation: string): string[] {
  const deviations = DECIDED.filter((it) => it.operation === operation).map(({ decision }) => decision)
  return [...deviations, ...Object.values(KINDS[operation]?.decided ?? {})]
}

export function demandsLink(operation: string): string {
  return `specification-demands.md#${anchorOf(operation)}`
}

/** `decisions`: per operation, in page order. */
export function demandsPage(decisions: ReadonlyMap<string, readonly string[]>): string {
  const chapters = [...BY_OPERATION.keys()].filter((it) => !decisions.has(it)).sort()
  const anchors = [...decisions.keys(), ...chapters].map(anchorOf)
  assert.equal(new Set(anchors).size, anchors.length, 'two operations have one anchor')
  const sum = [...BY_OPERATION.values()].reduce((count, it) => count + it.length, 0)
  return [
    headOf(sum, decisions.size),
    ...[...decisions].map(([operation, its]) => sectionOf(operation, its)),
    '## Chapters and records\n\nDemands that the specification makes outside of its operations.\n',
    ...chapters.map((it) => sectionOf(it, [])),
  ].join('\n')
}

function headOf(sum: number, operations: number): string {
  return `# The demands of the specification

This page lists the ${sum.toLocaleString('en')} demands of the specification that the audit (\`test/audit\`, in CI) checks on a running forge; the demands on the ${operations} operations
come first. Demands that differ in one word are one line: \`${GAP}\` stands for the word, and its values, or their number, follow in parentheses. The
audit fails when it checks a demand that is not in its record, or omits one that is (\`test/audit/demands.txt\`); \`npm run specification\` writes this page
from the record, and CI checks it. The [page of the operations](specification.md) names recorded scenarios and tests.

## Operations
`
}

function sectionOf(operation: string, decisions: readonly string[]): string {
  const demands = BY_OPERATION.get(operation) ?? []
  assert.ok(demands.length > 0, `the audit demands nothing of ${operation}`)
  const bearing = decisions.length === 0 ? '' : ` Decisions: ${decisions.join(', ')}.`
  const decided = DECIDED.filter((it) => it.operation === operation)
  const deviations = decided.map(
    ({ demand, decision, why }) => `- ${plain(demand)} **The forge deviates (${decision}):** ${plain(why)}`,
  )
  const lines = linesOf(demands.filter((it) => !decided.some(({ demand }) => demand === it.demand)))
  const count = `${demands.length} ${demands.length === 1 ? 'demand' : 'demands'}`
  return `### \`${operation}\`

<details><summary>${count}.${bearing}</summary>

${[...deviations, ...lines].join('\n')}

</details>
`
}

/** One line per demand or family of demands, in the order of their first. */
function linesOf(demands: readonly Demand[]): string[] {
  let left = demands.map(({ demand }) => demand.match(WORD) ?? [])
  const lines: string[] = []
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const { gap, members } = findFamily(first, left)
    const isFamily = members.length >= FAMILY_MIN
    lines.push(isFamily ? familyLine(first, gap, members) : `- ${plain(first.join(' '))}`)
    const done = new Set(isFamily ? members : [first])
    left = left.filter((it) => !done.has(it))
  }
  return lines
}

type Words = readonly string[]

/** The largest set of demands that differ from this one in the same single word. */
function findFamily(words: Words, left: readonly Words[]): { gap: number; members: readonly Words[] } {
  const families = words.map((_, gap) => {
    const isLike = (it: Words) =>
      it.length === words.length && it.every((word, i) => i === gap || word === words[i])
    return { gap, members: left.filter(isLike) }
  })
  return families.reduce((a, b) => (b.members.length > a.members.length ? b : a))
}

function familyLine(words: Words, gap: number, members: readonly Words[]): string {
  const values = members.map((it) => it[gap] ?? '')
  const shown =
    values.length > VALUES_SHOWN_MAX ? `${values.length} values` : values.map((it) => codeOf(it)).join(', ')
  return `- ${plain(words.with(gap, GAP).join(' '))} (${shown})`
}

function codeOf(value: string): string {
  assert.ok(!value.includes('`'), `${value} cannot be shown as code`)
  return `\`${visible(value)}\``
}

function plain(text: string): string {
  return visible(text).replace(/[<*|`\\]/g, (it) => `\\${it}`)
}

/** Invisible characters are escaped as in JSON. */
function visible(text: string): string {
  return text.replace(/[\p{C}\p{Z}]/gu, (it) =>
    it === ' ' ? it : `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The anchor that Markdown renderers derive from a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
