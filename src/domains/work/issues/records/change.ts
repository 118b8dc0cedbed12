/** What one request changes of an issue: columns, timeline entries and events, written together. */
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
  /** Emits events after all rows are written, so that handlers see the final issue and the ids of its entries. */
  readonly telling: ((entryOf: (kind: EntryKind) => number) => Promise<void>)[]
}

export function beginChange(issue: IssueRow, actor: SignedIn): Change {
  return { issue, actor, patch: {}, entries: [], telling: [] }
}

/** A change without content writes nothing. */
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
