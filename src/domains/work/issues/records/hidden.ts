/** Issues, comments and reviews of suspended accounts are hidden from everyone but site administrators. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/context'

interface Viewer {
  readonly actor: Actor | null
}

export function isShownTo({ actor }: Viewer, row: { readonly is_hidden: boolean }): boolean {
  return !row.is_hidden || actor?.isAdmin === true
}

/** A condition on a table with the column `is_hidden`. */
export function isShownIn(
  table: 'issue' | 'issue_comment' | 'review',
  { actor }: Viewer,
): RawBuilder<boolean> {
  return actor?.isAdmin === true ? sql<boolean>`true` : sql<boolean>`not ${sql.ref(table)}.is_hidden`
}
