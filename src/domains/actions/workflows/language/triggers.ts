/** The triggers (`on`) of a workflow, as plain data that can be matched with events outside of the thread. */
import { Cron } from 'croner'
import { assertLimit, WorkflowProblem } from '../limits.ts'
import { type Facts, factsOf, isFacts, textOf, textsOf } from './values.ts'

export interface Trigger {
  readonly event: string
  /** Activity types; null for the default ones. */
  readonly types: readonly string[] | null
  /** From `branches` or `branches-ignore` and so on; empty lists are left out. */
  readonly branches?: Filter
  readonly tags?: Filter
  readonly paths?: Filter
  /** For `workflow_run`: names of workflows. */
  readonly workflows?: readonly string[]
  /** For `schedule`. */
  readonly crons?: readonly string[]
  /** For `workflow_dispatch` and `workflow_call`. */
  readonly inputs?: Readonly<Record<string, Input>>
}

export interface Filter {
  readonly patterns: readonly string[]
  readonly ignores: boolean
}

export interface Input {
  readonly type: 'string' | 'boolean' | 'number' | 'choice' | 'environment'
  readonly required: boolean
  readonly default: string | number | boolean | null
  readonly options: readonly string[]
}

const INPUT_TYPES: readonly string[] = ['string', 'boolean', 'number', 'choice', 'environment']

/** `on` is one event, a list of events, or a mapping of events to filters. */
export function readTriggers(on: unknown): Trigger[] {
  if (typeof on === 'string') return [{ event: on, types: null }]
  if (Array.isArray(on)) return on.map((it) => ({ event: textOf(it, 'event'), types: null }))
  if (!isFacts(on)) throw new WorkflowProblem('workflow has no events it is on')
  return Object.entries(on).map(([event, value]) => readTrigger(event, value))
}

function readTrigger(event: string, value: unknown): Trigger {
  if (event === 'schedule') return { event, types: null, crons: readCrons(value) }
  // An event without a value has no filters.
  const facts = factsOf(value, `event "${event}"`)
  const types = facts.types === undefined ? null : textsOf(facts.types, 'types')
  return {
    event,
    types,
    ...filterOf(facts, 'branches'),
    ...filterOf(facts, 'tags'),
    ...filterOf(facts, 'paths'),
    ...(facts.workflows === undefined ? {} : { workflows: textsOf(facts.workflows, 'workflows') }),
    ...(event.startsWith('workflow_') && facts.inputs !== undefined
      ? { inputs: readInputs(facts.inputs) }
      : {}),
  }
}

function filterOf(facts: Facts, kind: 'branches' | 'tags' | 'paths'): { [K in typeof kind]?: Filter } {
  for (const ignores of [false, true]) {
    const name = ignores ? `${kind}-ignore` : kind
    const patterns = textsOf(facts[name], name)
    if (patterns.length === 0) continue
    assertLimit('patterns', patterns.length, `number of ${name}`)
    for (const pattern of patterns) assertLimit('pattern', pattern.length, `length of a pattern of ${name}`)
    return { [kind]: { patterns, ignores } }
  }
  return {}
}

function readCrons(value: unknown): string[] {
  if (!Array.isArray(value)) throw new WorkflowProblem('schedule is not a list')
  assertLimit('schedules', value.length, 'number of schedules')
  return value.map((it: unknown) => {
    const cron = textOf(factsOf(it, 'schedule').cron, 'cron').trim()
    if (!isCron(cron)) throw new WorkflowProblem(`"${cron.slice(0, 100)}" is no schedule`)
    return cron
  })
}

/** Five fields, or a nickname such as `@daily`. */
function isCron(text: string): boolean {
  if (!/^@\w+$|^(\S+\s+){4}\S+$/.test(text)) return false
  try {
    new Cron(text, { timezone: 'UTC', paused: true })
    return true
  } catch {
    return false
  }
}

function readInputs(value: unknown): Record<string, Input> {
  const entries = Object.entries(factsOf(value, 'inputs'))
  assertLimit('inputs', entries.length, 'number of inputs')
  return Object.fromEntries(
    entries.map(([name, it]) => [name, readInput(name, factsOf(it, `input "${name}"`))]),
  )
}

function readInput(name: string, facts: Facts): Input {
  const type = facts.type === undefined ? 'string' : textOf(facts.type, `type of input "${name}"`)
  if (!INPUT_TYPES.includes(type)) throw new WorkflowProblem(`input "${name}" has no type "${type}"`)
  const fallback = facts.default
  const isPlain = ['string', 'number', 'boolean'].includes(typeof fallback)
  return {
    type: type as Input['type'],
    required: facts.required === true,
    default: isPlain ? (fallback as string | number | boolean) : null,
    options: textsOf(facts.options, `options of input "${name}"`),
  }
}
