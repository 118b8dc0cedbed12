/** Timeline entries: one for each comment and each change. */
import type { TxContext } from '#platform/context'
import type { EntryKind, EntryPayload, EntryRow, IssueRow } from '../tables.ts'

export interface NewEntry {
  readonly kind: EntryKind
  readonly body?: string
  readonly payload?: EntryPayload
}

/** In the given order. */
export async function insertEntries(
  ctx: TxContext,
  issue: Pick<IssueRow, 'id' | 'repository_id'>,
  author: { readonly id: number },
  entries: readonly NewEntry[],
): Promise<EntryRow[]> {
  if (entries.length === 0) return []
  const now = ctx.now()
  return ctx.db
    .insertInto('issue_comment')
    .values(
      entries.map(({ kind, body = '', payload = {} }) => ({
        issue_id: issue.id,
        repository_id: issue.repository_id,
        kind,
        author_id: author.id,
        body,
        payload,
        created_at: now,
        updated_at: now,
      })),
    )
    .returningAll()
    .execute()
}

/** Deletes all entries of one kind, which the caller writes anew. */
export async function deleteEntries(ctx: TxContext, issueId: number, kind: EntryKind): Promise<void> {
  await ctx.db.deleteFrom('issue_comment').where('issue_id', '=', issueId).where('kind', '=', kind).execute()
}
