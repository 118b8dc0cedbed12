/** Reads values of a workflow file as the expected type, or throws a `WorkflowProblem` that names the value. */
import { parseYaml, TooManyAliases } from '#platform/yaml'
import { assertLimit, LIMITS, WorkflowProblem } from '../limits.ts'

export type Facts = Readonly<Record<string, unknown>>

/** `limit` bounds the length of the text. */
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
    // The YAML parser recurses into nested values until the stack overflows.
    if (error instanceof RangeError)
      throw new WorkflowProblem(`nesting exceeds the limit "depth" of ${LIMITS.depth}`)
    if (error instanceof TooManyAliases)
      throw new WorkflowProblem(`number of aliases exceeds the limit "aliases" of ${LIMITS.aliases}`)
    throw new WorkflowProblem(`workflow is not valid YAML: ${messageOf(error)}`)
  }
}

/** Aliases share one object, which counts each time it is referred to. */
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

/** A string, or a list of strings. */
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
