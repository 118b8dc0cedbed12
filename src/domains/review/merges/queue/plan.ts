/**
 * Decides the next step of a queue. Pure, so that the model in `test/model` can check every state. Each entry is built
 * on the nearest entry before it that has not failed, the first on the base. A failed entry is removed only when all
 * before it passed; until then one of those may be the cause, and the entry is skipped.
 */

/** Verdict on an entry as built on its parent. */
export type Verdict = 'pending' | 'passed' | 'failed'

export interface Tried {
  /** null: not built yet. */
  readonly parent: string | null
  /** null: git could not build it on this parent. */
  readonly tested: string | null
  readonly verdict: Verdict
}

export type Next<T> =
  | { readonly kind: 'wait' }
  | { readonly kind: 'build'; readonly entry: T; readonly parent: string }
  /** All entries passed, each built on the one before it and the first on the base. */
  | { readonly kind: 'land'; readonly entries: readonly T[] }
  | { readonly kind: 'leave'; readonly entry: T }

/** `entries`: in queue order. Merges what can be merged before it builds more. */
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
