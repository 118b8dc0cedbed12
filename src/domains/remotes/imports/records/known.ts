/**
 * What of a source is here, too: accounts and stored files. Of another forge nothing is known: the same name may be another
 * person.
 */
import type { Host } from '../tables.ts'

export interface Known {
  /** Accounts here, by lower-case login at the source. */
  readonly people: ReadonlyMap<string, number>
  /** Stored attachments that have no owner yet, by uuid at the source. */
  readonly files: Map<string, string>
  /** The forge whose ids the records name; null: not known. */
  readonly host: Host | null
}

/** While records are inserted. */
export interface KnownAuthors extends Known {
  /** The row of `import_host`. */
  readonly hostId: number | null
  /** Names of those who have no account here, by id at the host. */
  readonly authors: Map<number, string>
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

/** Returns the host at which the author has this id. */
export function noteAuthor(
  { hostId, authors }: KnownAuthors,
  { id, name }: { readonly id: number; readonly name: string },
): number | null {
  if (hostId === null || id <= 0) return null
  authors.set(id, name)
  return hostId
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
