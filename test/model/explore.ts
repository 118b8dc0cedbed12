/** Every state that any order of steps can lead to, and the first one in which something is wrong. */
import { canonical } from './canonical.ts'
import { stepsOf } from './steps.ts'
import { findFault, type Mutation, type State } from './storage.ts'

export interface Explored {
  readonly states: number
  readonly fault?: string
  /** The shortest way there. */
  readonly trace?: readonly string[]
}

interface Visited {
  /** The state itself, as text. */
  readonly key: string
  readonly from: Visited | null
  readonly step: string
}

export function explore(start: State, mutation?: Mutation): Explored {
  const first: Visited = { key: canonical(start), from: null, step: '' }
  const seen = new Set([first.key])
  let frontier = [first]
  while (frontier.length > 0) {
    const next: Visited[] = []
    for (const visited of frontier)
      for (const { step, state } of successors(visited.key, mutation)) {
        const key = canonical(state)
        if (seen.has(key)) continue
        seen.add(key)
        const reached = { key, from: visited, step }
        const fault = findFault(state)
        if (fault !== undefined) return { states: seen.size, fault, trace: traceOf(reached) }
        next.push(reached)
      }
    frontier = next
  }
  return { states: seen.size }
}

function* successors(
  key: string,
  mutation: Mutation | undefined,
): Generator<{ readonly step: string; readonly state: State }> {
  let state = JSON.parse(key) as State
  for (const [step, act] of stepsOf(state, mutation)) {
    if (act(state) === false) continue
    yield { step, state }
    state = JSON.parse(key) as State
  }
}

function traceOf(visited: Visited): string[] {
  const steps: string[] = []
  for (let at: Visited | null = visited; at?.from; at = at.from) steps.unshift(at.step)
  return steps
}
