/** What one request changes about an issue: columns, entries of the timeline and what is told, written together. */
import type { TxContext } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import type { EntryKind, IssueRow } from '../tables.ts'
import { insertEntries, type NewEntry } from '../timeline/entries.ts'
import { updateIssue } from './store.ts'

export interface Change {
  readonly issue: IssueRow
  readonly actor: SignedIn
  readonly patch: Partial<IssueRow>
  readonly entries: NewEntry[]
  /** Told when all is written, so that whoever hears sees the issue as it is then, and its entries by their numbers. */
  readonly telling: ((entryOf: (kind: EntryKind) => number) => Promise<void>)[]
}

export function beginChange(issue: IssueRow, actor: SignedIn): Change {
  return { issue, actor, patch: {}, entries: [], telling: [] }
}

/** What changes nothing leaves no trace. */
export async function applyChange(ctx: TxContext, change: Change): Promise<IssueRow> {
  const { issue, actor, patch, entries, telling } = change
  const isNothing = Object.keys(patch).length === 0 && entries.length === 0 && telling.length === 0
  if (isNothing) return issue
  const changed = await updateIssue(ctx.db, issue.id, { ...patch, updated_at: ctx.now() })
  const written = await insertEntries(ctx, issue, actor, entries)
  const entryOf = (kind: EntryKind) => written.findLast((it) => it.kind === kind)?.id ?? 0
  for (const tell of telling) await tell(entryOf)
  return changed
}
