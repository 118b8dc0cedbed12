/**
 * The merge queue as a small model: its rows in PostgreSQL, what workers have read, and the invariants of both. A commit
 * is named by its history: `0.1a.x` is the first one, then the first version of pull request 1, then a push.
 */
import { planNext, type Tried } from '../../src/domains/review/merges/queue/plan.ts'

/** A row of the queue. */
export interface Row {
  /** A new one each time it is queued. */
  readonly id: number
  readonly pull: number
  readonly head: string
  /** Empty: not tried yet. */
  parent: string
  /** Empty: git could not merge it. */
  tested: string
}

/** What a worker is about to do, by what it read earlier. */
export interface Worker {
  kind: '' | 'build' | 'land' | 'leave' | 'tidy' | 'mark'
  rows: Row[]
  parent: string
  refs: Record<number, string>
}

export interface State {
  base: string
  /** Every commit that the base ever was. */
  bases: string[]
  /** By pull request. */
  heads: Record<number, string>
  merged: number[]
  queue: Row[]
  /** refs/queue/{number} */
  refs: Record<number, string>
  /** Check results by commit. */
  said: Record<string, 'passed' | 'failed'>
  workers: Worker[]
  queued: number
  /** An entry left because of checks that failed for another's change. */
  isUnjust: boolean
  left: { push: number; head: number; requeue: number; fail: number; conflict: number; die: number }
}

export const MUTATIONS = [
  'the base moves though it is not what was built upon',
  'rows are not looked at again when they land',
  'a push to the head changes nothing',
  'what was said of it upon another parent counts',
  'those behind one that left are not tried again',
  'what is pending lands with what passed',
  'whoever failed leaves at once',
  'the base moves and pull requests are marked in two transactions',
  'a row is written before its ref',
  'a ref is taken away though it came back',
] as const
export type Mutation = (typeof MUTATIONS)[number]

export const IDLE: Worker = { kind: '', rows: [], parent: '', refs: {} }

export function start(pulls: number, workers: number, left: State['left']): State {
  const numbers = Array.from({ length: pulls }, (_, i) => i + 1)
  return {
    base: '0',
    bases: ['0'],
    heads: Object.fromEntries(numbers.map((pull) => [pull, 'a'])),
    merged: [],
    queue: numbers.map((pull) => ({ id: pull, pull, head: 'a', parent: '', tested: '' })),
    refs: {},
    said: {},
    workers: Array.from({ length: workers }, () => ({ ...IDLE })),
    queued: pulls,
    isUnjust: false,
    left,
  }
}

export type Standing = Tried & { readonly row: Row }

/** As `advance.ts` sees them. */
export function standingsOf(state: State, mutation: Mutation | undefined): Standing[] {
  const saidOf = (row: Row) => {
    if (mutation !== 'what was said of it upon another parent counts') return state.said[row.tested]
    const ending = `.${row.pull}${row.head}`
    return Object.entries(state.said).find(([commit]) => commit.endsWith(ending))?.[1]
  }
  return state.queue.map((row) => ({
    row,
    parent: row.parent || null,
    tested: row.tested || null,
    verdict: saidOf(row) ?? (mutation === 'what is pending lands with what passed' ? 'passed' : 'pending'),
  }))
}

/** The fault of a state, if any. */
export function findFault(state: State): string | undefined {
  const { base, heads, merged, queue, refs, said, workers } = state
  const parts = base.split('.')
  const landed = parts.flatMap((part, i) => {
    const pull = Number.parseInt(part, 10)
    return i === 0 || part === 'x' ? [] : [{ pull, part, commit: parts.slice(0, i + 1).join('.') }]
  })
  const numbers = landed.map(({ pull }) => pull)
  if (new Set(numbers).size < numbers.length) return 'one landed twice'
  if (!isSame(numbers, merged)) return 'what the base has is not what is marked as merged'
  if (landed.some(({ commit }) => said[commit] !== 'passed')) return 'something landed that was not tested'
  if (landed.some(({ pull, part }) => part !== `${pull}${heads[pull]}`))
    return 'another head landed than is there'
  if (!state.bases.every((was) => `${base}.`.startsWith(`${was}.`))) return 'the base lost commits'
  if (queue.some(({ pull }) => merged.includes(pull))) return 'one is queued that is merged'
  if (queue.some(({ pull, tested }) => tested !== '' && refs[pull] !== tested))
    return 'what is tested cannot be fetched'
  if (state.isUnjust) return 'somebody left for what another did'
  const isQuiet = queue.every(({ tested }) => tested === '' || said[tested] !== undefined)
  const isWaiting = planNext(base, standingsOf(state, undefined)).kind === 'wait'
  if (queue.length > 0 && isQuiet && isWaiting && workers.every(({ kind }) => kind === ''))
    return 'the queue waits for nobody'
  return undefined
}

function isSame(some: readonly number[], others: readonly number[]): boolean {
  return some.toSorted().join() === others.toSorted().join()
}

/** Workers are interchangeable, and the order of check results does not matter. */
export function canonical(state: State): string {
  state.said = sorted(Object.entries(state.said))
  state.refs = sorted(Object.entries(state.refs))
  state.merged.sort()
  state.workers.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
  return JSON.stringify(state)
}

function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b)))
}
