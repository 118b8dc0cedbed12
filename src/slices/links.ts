/**
 * Words of texts that lead somewhere. The slice `markup` finds them; slices that know what they name say where it is, as
 * far as the reader may see it. So neither knows the other.
 */
import type { Context } from '#platform/context'

declare module '#platform/context' {
  interface World {
    readonly linkers: readonly Linker[]
  }
}

/** What a text names, each once. */
export interface NamedInText {
  /** Owner and name of the repository where the text stands. */
  readonly home: { readonly owner: string; readonly name: string } | null
  readonly issues: readonly {
    readonly key: string
    /** Both null: of the repository where the text stands. */
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

/** What is not among the answers stays text. A fixed number of queries, however much is named. */
export type Linker = (ctx: Context, named: NamedInText) => Promise<readonly Link[]>
