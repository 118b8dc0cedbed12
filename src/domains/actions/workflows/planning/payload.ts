/**
 * The payload of a job for its runner: the workflow with this job alone, and the matrix reduced to one combination.
 * Pure.
 */
import { stringify } from 'yaml'
import { hasExpression, rewriteCode, rewriteExpressions } from '../language/expressions.ts'
import type { Combination } from '../language/matrix.ts'
import type { Facts } from '../language/values.ts'
import type { Job, Workflow } from '../language/workflow.ts'
import { assertLimit } from '../limits.ts'
import type { Call } from './types.ts'

const REFERENCE = /(?<![\w.-])(inputs|secrets)\.([A-Za-z_][\w-]*)/gi
/** Available to every job, also in called workflows. */
const TOKENS = ['GITHUB_TOKEN', 'GITEA_TOKEN']

interface Ready {
  readonly name: string
  readonly runs_on: readonly string[]
  readonly matrix: Combination
  readonly call: Call | undefined
}

export function payloadOf(workflow: Workflow, job: Job, { name, runs_on, matrix, call }: Ready): string {
  const { needs: _needs, concurrency: _group, permissions: _may, strategy, ...rest } = job.facts
  const { on, env, defaults } = workflow.facts
  const alone = Object.fromEntries(Object.entries(matrix).map(([key, value]) => [key, [value]]))
  const hasMatrix = Object.keys(matrix).length > 0
  const facts = {
    name: workflow.name,
    on,
    ...(env === undefined ? {} : { env }),
    ...(defaults === undefined ? {} : { defaults }),
    jobs: {
      [job.key]: {
        ...rest,
        name,
        'runs-on': runs_on,
        ...(hasMatrix ? { strategy: { ...strategyOf(strategy), matrix: alone } } : {}),
      },
    },
  }
  const shown = call === undefined ? facts : forCalled(facts, call)
  // Aliases are expanded, because runners limit how many they resolve.
  const text = stringify(shown, { aliasDuplicateObjects: false, lineWidth: 0 })
  assertLimit('payload', text.length, `job "${job.key}"`)
  return text
}

/** `fail-fast` and `max-parallel` are enforced by the forge, not by the runner. */
function strategyOf(strategy: unknown): Facts {
  const { 'fail-fast': fails, 'max-parallel': most } = (strategy ?? {}) as Facts
  return {
    ...(typeof fails === 'boolean' ? { 'fail-fast': fails } : {}),
    ...(typeof most === 'number' ? { 'max-parallel': most } : {}),
  }
}

/**
 * A runner knows the inputs and secrets of the run, but not those passed to a called workflow. References to these
 * are replaced by the literal input, or by the caller's name of the secret.
 */
function forCalled(value: unknown, call: Call, key = ''): unknown {
  if (typeof value === 'string') {
    const rewrite = (code: string) =>
      code.replaceAll(REFERENCE, (all, kind: string, name: string) => resolved(all, kind, name, call))
    if (hasExpression(value)) return rewriteExpressions(value, rewrite)
    return key === 'if' ? rewriteCode(value, rewrite) : value
  }
  if (Array.isArray(value)) return value.map((it) => forCalled(it, call))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, forCalled(it, call, name)]))
}

function resolved(all: string, kind: string, name: string, { inputs = {}, secrets = {} }: Call): string {
  if (kind.toLowerCase() === 'inputs')
    return literalOf(Object.hasOwn(inputs, name) ? inputs[name] : undefined)
  if (secrets === null || TOKENS.includes(name.toUpperCase())) return all
  const source = Object.entries(secrets).find(([own]) => own.toUpperCase() === name.toUpperCase())?.[1]
  return source === undefined ? "''" : `secrets.${source}`
}

function literalOf(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return `'${String(value ?? '').replaceAll("'", "''")}'`
}
