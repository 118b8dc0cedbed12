/**
 * What of a source is here, too: accounts and stored files. Of another forge nothing is known: the same name may be another
 * person.
 */
export interface Known {
  /** Accounts here, by lower-case login at the source. */
  readonly people: ReadonlyMap<string, number>
  /** Stored attachments that have no owner yet, by uuid at the source. */
  readonly files: Map<string, string>
}

export function nothingKnown(): Known {
  return { people: new Map(), files: new Map() }
}

interface Named {
  readonly login: string
}

export function accountOf({ people }: Known, person: Named | null | undefined): number | null {
  return people.get(person?.login.toLowerCase() ?? '') ?? null
}

/** Without those who have no account here. */
export function accountsOf(known: Known, persons: readonly Named[] | null | undefined): number[] {
  return [...new Set((persons ?? []).flatMap((it) => accountOf(known, it) ?? []))]
}

/** Each file belongs to the first record that names it, so it is removed from `files`. */
export function takeFiles(
  { files }: Known,
  assets: readonly { readonly uuid?: string | null }[] | null | undefined,
): string[] {
  return (assets ?? []).flatMap(({ uuid }) => {
    const stored = files.get(uuid ?? '')
    files.delete(uuid ?? '')
    return stored === undefined ? [] : [stored]
  })
}
