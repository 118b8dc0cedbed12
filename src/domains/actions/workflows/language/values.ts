/** Values of a file that somebody wrote: read as what they should be, or refused with a word about it. */
import { parseYaml, TooManyAliases } from '#platform/yaml'
import { assertLimit, LIMITS, WorkflowProblem } from '../limits.ts'

export type Facts = Readonly<Record<string, unknown>>

/** `limit` is the one that the length of the text is held against. */
export function readYaml(text: string, limit: 'text' | 'payload' = 'text'): Facts {
  assertLimit(limit, text.length, 'workflow')
  const value = parsed(text)
  if (!isFacts(value)) throw new WorkflowProblem('workflow is not a mapping')
  countValues(value, 0, { left: LIMITS.values })
  return value
}

function parsed(text: string): unknown {
  try {
    return parseYaml(text, LIMITS.aliases)
  } catch (error) {
    // The reader goes down into what is nested, until there is no more stack.
    if (error instanceof RangeError)
      throw new WorkflowProblem(`nesting exceeds the limit "depth" of ${LIMITS.depth}`)
    if (error instanceof TooManyAliases)
      throw new WorkflowProblem(`number of aliases exceeds the limit "aliases" of ${LIMITS.aliases}`)
    throw new WorkflowProblem(`workflow is not valid YAML: ${messageOf(error)}`)
  }
}

/** Aliases are the same object again and again: it counts as often as it is written out later. */
function countValues(value: unknown, depth: number, budget: { left: number }): void {
  assertLimit('depth', depth, 'nesting')
  budget.left -= 1
  if (budget.left < 0) throw new WorkflowProblem(`workflow exceeds the limit "values" of ${LIMITS.values}`)
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) countValues(inner, depth + 1, budget)
}

export function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function factsOf(value: unknown, what: string): Facts {
  if (value === undefined || value === null) return {}
  if (!isFacts(value)) throw new WorkflowProblem(`${what} is not a mapping`)
  return value
}

/** One, or a list of them. */
export function textsOf(value: unknown, what: string): string[] {
  if (value === undefined || value === null) return []
  const all: unknown[] = Array.isArray(value) ? value : [value]
  return all.map((it) => textOf(it, what))
}

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new WorkflowProblem(`${what} is not a text`)
}

export function messageOf(error: unknown): string {
  return firstLine(error instanceof Error ? error.message : String(error))
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300)
}
