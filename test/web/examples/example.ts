/** Where a page can be opened, and how much it may load. */
import type { Seeded } from '../seed/seed.ts'

export interface Example {
  readonly address: (seeded: Seeded) => string
  /** Anonymous when absent. */
  readonly as?: 'ann' | 'bob' | 'admin'
  /** Its budget: see BUDGETS of `pages.test.ts`. */
  readonly kind?: 'reading' | 'list' | 'review' | 'board' | 'editor'
  /** For a page that only redirects, or answers with another status. */
  readonly status?: number
}

/** What scripts of the page make after it is loaded. */
export function awaitedOn({ kind }: Example): string | undefined {
  return kind === 'editor' ? '.editor .cm-content' : undefined
}

/** By the path of the page. */
export type Examples = Readonly<Record<string, Example>>
