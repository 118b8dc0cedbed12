/** Explores every state that any order of steps can reach, and returns the first faulty one. */

/** A name and its effect; a step that cannot be taken now returns false, and has changed nothing. */
export type Step<S> = readonly [name: string, act: (state: S) => boolean | undefined]

/** A model to explore. States hold nothing but JSON. */
export interface Model<S, M> {
  /** The same text for equivalent states. */
  canonical(state: S): string
  stepsOf(state: S, mutation: M | undefined): readonly Step<S>[]
  findFault(state: S): string | undefined
}

export interface Explored {
  readonly states: number
  readonly fault?: string
  /** The shortest path there. */
  readonly trace?: readonly string[]
}

interface Visited {
  /** The state itself, as text. */
  readonly key: string
  readonly from: Visited | null
  readonly step: string
}

export function explore<S, M>(model: Model<S, M>, start: S, mutation?: M): Explored {
  const first: Visited = { key: model.canonical(start), from: null, step: '' }
  const seen = new Set([first.key])
  let frontier = [first]
  while (frontier.length > 0) {
    const next: Visited[] = []
    for (const visited of frontier)
      for (const { step, state } of successors(model, visited.key, mutation)) {
        const key = model.canonical(state)
        if (seen.has(key)) continue
        seen.add(key)
        const reached = { key, from: visited, step }
        const fault = model.findFault(state)
        if (fault !== undefined) return { states: seen.size, fault, trace: traceOf(reached) }
        next.push(reached)
      }
    frontier = next
  }
  return { states: seen.size }
}

function* successors<S, M>(
  model: Model<S, M>,
  key: string,
  mutation: M | undefined,
): Generator<{ readonly step: string; readonly state: S }> {
  let state = JSON.parse(key) as S
  for (const [step, act] of model.stepsOf(state, mutation)) {
    if (act(state) === false) continue
    yield { step, state }
    state = JSON.parse(key) as S
  }
}

function traceOf(visited: Visited): string[] {
  const steps: string[] = []
  for (let at: Visited | null = visited; at?.from; at = at.from) steps.unshift(at.step)
  return steps
}
