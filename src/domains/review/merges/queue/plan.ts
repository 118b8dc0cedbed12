/**
 * What is to be done next about a queue. Pure, so that the model in `test/model` can ask it in every state there is.
 *
 * Each is tried upon the nearest one before it that has not failed, the first upon the base. Whoever failed is blamed only
 * when all before it have passed: until then, it may be the fault of one of those, and it is passed over.
 */

/** How one stands that was tried upon its parent. */
export type Verdict = 'pending' | 'passed' | 'failed'

export interface Tried {
  /** null: not tried yet. */
  readonly parent: string | null
  /** null: git could not make it upon this parent. */
  readonly tested: string | null
  readonly verdict: Verdict
}

export type Next<T> =
  | { readonly kind: 'wait' }
  | { readonly kind: 'build'; readonly entry: T; readonly parent: string }
  /** Together: all of them passed, each upon the one before it, and the first upon the base. */
  | { readonly kind: 'land'; readonly entries: readonly T[] }
  | { readonly kind: 'leave'; readonly entry: T }

/** `entries`: in their order. What can land does so before more is built. */
export function planNext<T extends Tried>(base: string, entries: readonly T[]): Next<T> {
  const passed: T[] = []
  let parent = base
  let isProven = true
  const orLand = (next: Next<T>): Next<T> => (passed.length > 0 ? { kind: 'land', entries: passed } : next)
  for (const entry of entries) {
    if (entry.parent !== parent) return orLand({ kind: 'build', entry, parent })
    if (entry.tested === null || entry.verdict === 'failed') {
      if (isProven) return orLand({ kind: 'leave', entry })
      continue
    }
    if (isProven && entry.verdict === 'passed') passed.push(entry)
    else isProven = false
    parent = entry.tested
  }
  return orLand({ kind: 'wait' })
}
