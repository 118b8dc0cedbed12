/** The author of a record: an account here, or a name and id at the source. Pure. */
import { cut } from '../sources/fields.ts'
import { accountOf, type KnownAuthors, noteAuthor } from './known.ts'

const NAME_MAX = 255

interface SourceAuthor {
  readonly user?: { readonly id: number; readonly login: string } | null
  readonly original_author?: string | null
  readonly original_author_id?: number
}

/**
 * The account here, or name and id at the source. The id of an author whom the source itself names as original is one of a
 * third forge, of which nothing else is known.
 */
export function authorOf({ user, original_author, original_author_id }: SourceAuthor, known: KnownAuthors) {
  const author_id = original_author ? null : accountOf(known, user)
  if (author_id !== null)
    return { author_id, original_author: '', original_author_id: 0, import_host_id: null }
  const original = original_author
    ? { name: original_author, id: original_author_id }
    : { name: user?.login, id: user?.id }
  const author = { name: cut(original.name, NAME_MAX), id: original.id ?? 0 }
  return {
    author_id,
    original_author: author.name,
    original_author_id: author.id,
    import_host_id: original_author ? null : noteAuthor(known, author),
  }
}
