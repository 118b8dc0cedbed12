/** The combinations of a matrix: the product of its axes without `exclude`, with `include`. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { assertLimit, WorkflowProblem } from '../limits.ts'
import { type Facts, factsOf, isFacts } from './values.ts'

export type Combination = Readonly<Record<string, unknown>>

/** Sorted by name, as shown; one empty combination if there is no matrix. */
export function combine(matrix: unknown): Combination[] {
  if (matrix === undefined || matrix === null) return [{}]
  const { include, exclude, ...axes } = factsOf(matrix, 'matrix')
  const left = cross(axes).filter((it) => !listOf(exclude, 'exclude').some((out) => agrees(out, it)))
  const all = withIncluded(left, Object.keys(axes), listOf(include, 'include'))
  assertLimit('jobs', all.length, 'number of jobs of a matrix')
  const named = all.map((it) => ({ it, name: nameOf(it) }))
  return named.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ it }) => it)
}

/** The values sorted by key, as in `second (sweet)`; empty if there are none. */
export function nameOf(combination: Combination): string {
  const values = Object.keys(combination)
    .sort()
    .map((key) => wordOf(combination[key]))
  return values.length === 0 ? '' : `(${values.join(', ')})`
}

function wordOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

function cross(axes: Facts): Combination[] {
  const lists = Object.entries(axes).map(([key, values]) => {
    if (!Array.isArray(values)) throw new WorkflowProblem(`"${key}" of the matrix is not a list`)
    return [key, values as unknown[]] as const
  })
  if (lists.length === 0) return []
  // Checked before the product is computed: three short lists can make a long one.
  assertLimit(
    'jobs',
    lists.reduce((product, [, values]) => product * values.length, 1),
    'number of jobs of a matrix',
  )
  return lists.reduce<Combination[]>(
    (made, [key, values]) => made.flatMap((it) => values.map((value) => ({ ...it, [key]: value }))),
    [{}],
  )
}

/**
 * An `include` entry extends every combination whose axis values it does not change; otherwise it adds a combination.
 */
function withIncluded(
  crossed: readonly Combination[],
  axes: readonly string[],
  included: readonly Facts[],
): Combination[] {
  const all: Combination[] = [...crossed]
  for (const extra of included) {
    const fixed = Object.fromEntries(Object.entries(extra).filter(([key]) => axes.includes(key)))
    let isAdded = false
    for (const [i, original] of crossed.entries()) {
      if (!agrees(fixed, original)) continue
      all[i] = { ...all[i], ...extra }
      isAdded = true
    }
    if (!isAdded) all.push(extra)
  }
  return all
}

function agrees(part: Facts, whole: Combination): boolean {
  return Object.entries(part).every(([key, value]) => isDeepStrictEqual(whole[key], value))
}

function listOf(value: unknown, what: string): Facts[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isFacts))
    throw new WorkflowProblem(`${what} of the matrix is not a list of mappings`)
  assertLimit('jobs', value.length, `${what} of the matrix`)
  return value
}
