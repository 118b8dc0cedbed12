/** Where a page can be looked at, and how much it may load. */
import type { Seeded } from '../seed/seed.ts'

export interface Example {
  readonly address: (seeded: Seeded) => string
  /** Nobody is signed in where this is absent. */
  readonly as?: 'ann' | 'bob' | 'admin'
  /** What it may load: see BUDGETS of `pages.test.ts`. */
  readonly kind?: 'reading' | 'list' | 'review' | 'board' | 'editor'
  /** A page that only sends elsewhere, or answers something else than a page. */
  readonly status?: number
}

/** By the path of the page. */
export type Examples = Readonly<Record<string, Example>>
