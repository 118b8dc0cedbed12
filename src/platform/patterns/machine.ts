/**
 * Follows a pattern through a text in all its branches at once, a character at a time.
 *
 * Patterns are written by users and held against names of users while a push waits. The expressions of the language
 * backtrack, and could be made to take hours; here the work is at most the length of the one times that of the other.
 */
import { invalid } from '#platform/problem'

export type Test = (char: string) => boolean

/** What a text must be. */
export type Shape =
  | { readonly kind: 'one'; readonly test: Test }
  /** One after the other. */
  | { readonly kind: 'row'; readonly shapes: readonly Shape[] }
  /** Any of them. */
  | { readonly kind: 'choice'; readonly shapes: readonly Shape[] }
  /** Any number of them, and also none. */
  | { readonly kind: 'repeat'; readonly shape: Shape }

type Step =
  | { readonly kind: 'one'; readonly test: Test }
  /** Goes on at all of these places. */
  | { readonly kind: 'fork'; readonly to: number[] }

/** Each `+` of a workflow's pattern writes what it repeats twice, so that many of them grow fast. */
const STEPS_MAX = 10_000

export const ANY: Test = () => true
export const one = (test: Test): Shape => ({ kind: 'one', test })
export const row = (shapes: readonly Shape[]): Shape => ({ kind: 'row', shapes })
export const repeat = (shape: Shape): Shape => ({ kind: 'repeat', shape })
export const optional = (shape: Shape): Shape => ({ kind: 'choice', shapes: [shape, row([])] })

/** Whether a text is of the shape, from its first character to its last. */
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

/** All places that can be reached without a further character. */
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

/** Where it leads is said later. */
function addFork(steps: Step[]): number[] {
  const to: number[] = []
  steps.push({ kind: 'fork', to })
  return to
}
