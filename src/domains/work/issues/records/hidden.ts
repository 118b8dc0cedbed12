/** Issues, comments and reviews of suspended accounts are hidden from everyone but site administrators. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/context'

interface Viewer {
  readonly actor: Pick<Actor, 'isAdmin'> | null
}

export function seesHidden({ actor }: Viewer): boolean {
  return actor?.isAdmin === true
}

export function isShownTo(viewer: Viewer, row: { readonly is_hidden: boolean }): boolean {
  return !row.is_hidden || seesHidden(viewer)
}

/** A condition on a table with the column `is_hidden`. */
export function isShownIn(table: 'issue' | 'issue_comment' | 'review', viewer: Viewer): RawBuilder<boolean> {
  return seesHidden(viewer) ? sql<boolean>`true` : sql<boolean>`not ${sql.ref(table)}.is_hidden`
}
