/** Expressions between `${{` and `}}`, evaluated by GitHub's own library. */
import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import { assertLimit, WorkflowProblem } from '../limits.ts'
import { boundedFunctions, type FunctionDefinition } from './functions.ts'
import { messageOf } from './values.ts'

type ExpressionData = data.ExpressionData

/** Contexts of expressions, by name. */
export type Contexts = Readonly<Record<string, object>>

/** Results of `success()`, `failure()` and `cancelled()`. */
export interface Outcome {
  readonly success: boolean
  readonly failure: boolean
  readonly cancelled: boolean
}

/** Contexts that are unknown when a job is planned are empty: `secrets`, `env` and those of steps. */
const NAMES = [
  'github',
  'gitea',
  'forgejo',
  'needs',
  'strategy',
  'matrix',
  'vars',
  'inputs',
  'jobs',
  'secrets',
  'env',
  'steps',
  'runner',
  'job',
] as const
const NOTHING = {}
const STATUS_CALL = /\b(?:always|success|failure|cancelled)\s*\(/i

/** Replaces the expressions in a text; a text that is a single expression keeps the type of its value. */
export function evaluate(text: string, contexts: Contexts): unknown {
  const parts = partsOf(text)
  const [only] = parts
  if (parts.length === 1 && only?.isExpression) return plainOf(run(only.text, contexts))
  const said = parts
    .map((part) => (part.isExpression ? run(part.text, contexts).coerceString() : part.text))
    .join('')
  assertLimit('result', said.length, 'text')
  return said
}

/** Evaluates all strings in a value, recursively. */
export function evaluateAll(value: unknown, contexts: Contexts): unknown {
  if (typeof value === 'string') return hasExpression(value) ? evaluate(value, contexts) : value
  if (Array.isArray(value)) return value.map((it) => evaluateAll(it, contexts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, evaluateAll(it, contexts)]))
}

/** Whether a job runs. A condition without a status function requires that all needed jobs succeeded. */
export function isTrue(condition: unknown, contexts: Contexts, outcome: Outcome): boolean {
  if (condition === undefined || condition === null || condition === '') return outcome.success
  const text = String(condition).trim()
  const parts = partsOf(text)
  const [only] = parts
  if (parts.length > 1 && parts.some(({ isExpression }) => isExpression))
    return outcome.success && evaluate(text, contexts) !== ''
  const expression = only?.text ?? ''
  if (!STATUS_CALL.test(withoutStrings(expression)) && !outcome.success) return false
  return isTruthy(run(expression, contexts, outcome))
}

export function hasExpression(text: string): boolean {
  return text.includes('${{')
}

/** Whether any expression in a value refers to a context. */
export function speaksOf(value: unknown, context: string): boolean {
  const word = new RegExp(`\\b${context}\\b`, 'i')
  if (typeof value === 'string')
    return partsOf(value).some(({ isExpression, text }) => isExpression && word.test(withoutStrings(text)))
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((it) => speaksOf(it, context))
  )
}

/** Rewrites the parts outside of string literals in every expression of a text. */
export function rewriteExpressions(text: string, rewrite: (code: string) => string): string {
  return partsOf(text)
    .map((part) => (part.isExpression ? `\${{ ${rewriteCode(part.text, rewrite)} }}` : part.text))
    .join('')
}

/** String literals are the odd pieces between single quotes. */
export function rewriteCode(code: string, rewrite: (code: string) => string): string {
  return code
    .split("'")
    .map((piece, i) => (i % 2 === 0 ? rewrite(piece) : piece))
    .join("'")
}

function withoutStrings(code: string): string {
  return code.replaceAll(/'[^']*'/g, "''")
}

interface Part {
  readonly text: string
  readonly isExpression: boolean
}

/** Braces in a string literal do not end an expression. */
function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (let start = text.indexOf('${{'); start !== -1; start = text.indexOf('${{', from)) {
    const end = endOf(text, start + 3)
    if (end === -1) throw new WorkflowProblem('expression is not closed')
    if (start > from) parts.push({ text: text.slice(from, start), isExpression: false })
    parts.push({ text: text.slice(start + 3, end).trim(), isExpression: true })
    from = end + 2
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from), isExpression: false })
  return parts
}

function endOf(text: string, from: number): number {
  let isInString = false
  for (let at = from; at < text.length - 1; at++) {
    if (text[at] === "'") isInString = !isInString
    else if (!isInString && text[at] === '}' && text[at + 1] === '}') return at
  }
  return -1
}

function run(expression: string, contexts: Contexts, outcome?: Outcome): ExpressionData {
  assertLimit('expression', expression.length, 'expression')
  try {
    const functions = [...boundedFunctions(), ...(outcome === undefined ? [] : statusFunctions(outcome))]
    const parsed = new Parser(new Lexer(expression).lex().tokens, [...NAMES], functions).parse()
    // An empty expression evaluates to the empty string.
    if (parsed === undefined) return new data.StringData('')
    const dictionary = new data.Dictionary(
      ...NAMES.map((key) => ({ key, value: dataOf(contexts[key] ?? NOTHING) })),
    )
    return new Evaluator(parsed, dictionary, new Map(functions.map((it) => [it.name, it]))).evaluate()
  } catch (error) {
    if (error instanceof WorkflowProblem) throw error
    throw new WorkflowProblem(`expression "${expression.slice(0, 100)}": ${messageOf(error)}`)
  }
}

function statusFunctions(outcome: Outcome): FunctionDefinition[] {
  const says = { always: true, ...outcome }
  return Object.entries(says).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }))
}

/** Contexts are large, and shared by all expressions of a plan. */
const converted = new WeakMap<object, ExpressionData>()

function dataOf(value: object): ExpressionData {
  const known = converted.get(value)
  if (known !== undefined) return known
  const made = JSON.parse(JSON.stringify(value), data.reviver) as ExpressionData
  converted.set(value, made)
  return made
}

function plainOf(value: ExpressionData): unknown {
  const text = JSON.stringify(value, data.replacer)
  assertLimit('result', text.length, 'result of an expression')
  return JSON.parse(text)
}

function isTruthy(value: ExpressionData): boolean {
  const plain = plainOf(value)
  return typeof plain === 'object' ? plain !== null : Boolean(plain)
}
