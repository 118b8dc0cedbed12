/**
 * Links in texts. The slice `markup` finds references; slices resolve those to their records, as far as the reader may see
 * them. So the slices do not depend on each other.
 */
import type { Context } from '#platform/context'

declare module '#platform/context' {
  interface World {
    readonly linkers: readonly Linker[]
  }
}

/** The references and mentions of a text, each once. */
export interface NamedInText {
  /** Owner and name of the repository of the text. */
  readonly home: { readonly owner: string; readonly name: string } | null
  readonly issues: readonly {
    readonly key: string
    /** Both null: the repository of the text. */
    readonly owner: string | null
    readonly name: string | null
    readonly number: number
  }[]
  readonly people: readonly { readonly key: string; readonly login: string }[]
}

export interface Link {
  readonly key: string
  readonly address: string
  readonly kind: 'issue' | 'person'
}

/** Unresolved references stay text. A fixed number of queries, whatever their number. */
export type Linker = (ctx: Context, named: NamedInText) => Promise<readonly Link[]>
