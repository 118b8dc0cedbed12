/**
 * Matches a pattern by simulating a non-deterministic automaton, one character at a time.
 *
 * Patterns are written by users and matched against names during a push. JavaScript's regular expressions backtrack and
 * could be made to take hours; here the work is at most the length of the pattern times that of the text.
 */
import { invalid } from '#platform/problem'

export type Test = (char: string) => boolean

/** A pattern as a tree. */
export type Shape =
  | { readonly kind: 'one'; readonly test: Test }
  /** A sequence. */
  | { readonly kind: 'row'; readonly shapes: readonly Shape[] }
  /** Alternatives. */
  | { readonly kind: 'choice'; readonly shapes: readonly Shape[] }
  /** Zero or more repetitions. */
  | { readonly kind: 'repeat'; readonly shape: Shape }

type Step =
  | { readonly kind: 'one'; readonly test: Test }
  /** Continues at all of these steps. */
  | { readonly kind: 'fork'; readonly to: number[] }

/** Each `+` of a workflow pattern duplicates what it repeats, so nested ones grow fast. */
const STEPS_MAX = 10_000

export const ANY: Test = () => true
export const one = (test: Test): Shape => ({ kind: 'one', test })
export const row = (shapes: readonly Shape[]): Shape => ({ kind: 'row', shapes })
export const repeat = (shape: Shape): Shape => ({ kind: 'repeat', shape })
export const optional = (shape: Shape): Shape => ({ kind: 'choice', shapes: [shape, row([])] })

/** Whether the whole text matches. */
export function machineOf(shape: Shape): (text: string) => boolean {
  const steps: Step[] = []
  add(steps, shape)
  return (text) => runs(steps, text)
}

function runs(steps: readonly Step[], text: string): boolean {
  let places = reach(steps, [0])
  for (const char of text) {
    const after: number[] = []
    for (const place of places) {
      const step = steps[place]
      if (step?.kind === 'one' && step.test(char)) after.push(place + 1)
    }
    if (after.length === 0) return false
    places = reach(steps, after)
  }
  return places.has(steps.length)
}

/** All steps that can be reached without consuming a character. */
function reach(steps: readonly Step[], from: readonly number[]): Set<number> {
  const places = new Set<number>()
  const open = [...from]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (places.has(place)) continue
    places.add(place)
    const step = steps[place]
    if (step?.kind === 'fork') open.push(...step.to)
  }
  return places
}

function add(steps: Step[], shape: Shape): void {
  if (steps.length > STEPS_MAX) throw invalid('pattern is too large')
  if (shape.kind === 'row') for (const it of shape.shapes) add(steps, it)
  else if (shape.kind === 'choice') addChoice(steps, shape.shapes)
  else if (shape.kind === 'repeat') addRepeat(steps, shape.shape)
  else steps.push(shape)
}

function addChoice(steps: Step[], shapes: readonly Shape[]): void {
  const fork = addFork(steps)
  const ends = shapes.map((shape) => {
    fork.push(steps.length)
    add(steps, shape)
    return addFork(steps)
  })
  for (const end of ends) end.push(steps.length)
}

function addRepeat(steps: Step[], shape: Shape): void {
  const start = steps.length
  const fork = addFork(steps)
  fork.push(steps.length)
  add(steps, shape)
  addFork(steps).push(start)
  fork.push(steps.length)
}

/** The targets are filled in later. */
function addFork(steps: Step[]): number[] {
  const to: number[] = []
  steps.push({ kind: 'fork', to })
  return to
}
