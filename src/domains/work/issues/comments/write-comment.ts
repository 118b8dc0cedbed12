/** Creates, edits and deletes comments. */
import { countDeletedFiles } from '#domains/code/attachments'
import type { Tracker } from '#domains/code/repositories'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { eventOf } from '../events.ts'
import { addContentHistory } from '../history/content-history.ts'
import {
  assertNotBlocked,
  type Caller,
  isTheirs,
  openToJoin,
  type ReadableIssue,
} from '../records/open-issue.ts'
import { findMentioned } from '../references/mentions.ts'
import { recordReferences } from '../references/record-references.ts'
import { refer } from '../references/refer.ts'
import { neuterReferencesOf } from '../references/store.ts'
import { rewords } from '../references/words.ts'
import type { EntryRow, IssueRow } from '../tables.ts'
import { insertEntries } from '../timeline/entries.ts'
import { showComment } from '../timeline/show-entries.ts'
import { countComments, deleteEntries, type FoundEntry, findEntry, updateEntry } from '../timeline/store.ts'

export interface Said {
  readonly issue: IssueRow
  readonly comment: EntryRow
}

/** Any reader may comment, also on a closed issue; on a locked one only users who may write issues. */
export function createComment(ctx: Context, caller: Caller, number: number, body: string): Promise<Said> {
  return transact(ctx, async (ctx) => {
    const { tracker, actor } = caller
    const { repo, issue, mayWrite } = await openToJoin(ctx, tracker, number)
    if (issue.is_locked && !mayWrite) throw forbidden('you cannot comment on a locked issue')
    await assertNotBlocked(ctx, repo, actor, issue)
    const [comment] = await insertEntries(ctx, issue, actor, [{ kind: 'comment', body }])
    if (comment === undefined) throw notFound('issue', number)
    await countComments(ctx.db, issue, 1, ctx.now())
    const mentions = await recordReferences(ctx, { repo, issue, commentId: comment.id, actor }, body)
    await emit(ctx, 'issue.commented', { ...eventOf(issue, actor), mentions, comment_id: comment.id })
    return { issue, comment }
  })
}

/** Undefined for an entry that is no comment. */
export function editComment(
  ctx: Context,
  { tracker, actor }: Caller,
  id: number,
  body: string,
): Promise<Said | undefined> {
  return transact(ctx, async (ctx) => {
    const { entry, held } = await openToRewrite(ctx, tracker, id)
    const { issue, repo } = held
    if (entry.kind !== 'comment') return undefined
    if (entry.body === body) return { issue, comment: entry }
    await assertNotBlocked(ctx, repo, actor, issue)
    await addContentHistory(ctx, { issueId: issue.id, commentId: id }, entry.body, actor.id)
    const content_version = entry.content_version + 1
    const comment = await updateEntry(ctx.db, id, { body, content_version, updated_at: ctx.now() })
    const { references, newMentions, before } = rewords(ctx, entry.body, body)
    const mentions = await findMentioned(ctx, repo, issue, actor, newMentions)
    await refer(ctx, { repo, issue, commentId: id, actor }, references, before)
    const event = { ...eventOf(issue, actor), mentions, comment_id: id, old_body: entry.body }
    await emit(ctx, 'issue.comment_edited', event)
    return { issue, comment }
  })
}

export function deleteComment(ctx: Context, { tracker, actor }: Caller, id: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { entry, held } = await openToRewrite(ctx, tracker, id)
    const { issue } = held
    if (entry.kind !== 'comment') throw new Problem('malformed', 'entry is not a comment')
    await neuterReferencesOf(ctx.db, [id])
    const comment = await showComment(ctx, held.repo, entry)
    await countDeletedFiles(ctx, held.repo.id, 'comment', [id])
    await deleteEntries(ctx.db, [id])
    await countComments(ctx.db, issue, -1, ctx.now())
    await emit(ctx, 'issue.comment_deleted', { ...eventOf(issue, actor), comment_id: id, comment })
  })
}

/** Allowed for the author and for users who may write issues. Read again under the issue lock, because it may be gone. */
async function openToRewrite(
  ctx: TxContext,
  tracker: Tracker,
  id: number,
): Promise<{ entry: FoundEntry; held: ReadableIssue }> {
  const found = await findEntry(ctx, tracker.id, id)
  if (found === undefined) throw notFound('comment', id)
  const held = await openToJoin(ctx, tracker, found.number)
  const entry = await findEntry(ctx, tracker.id, id)
  if (entry === undefined) throw notFound('comment', id)
  if (!held.mayWrite && !isTheirs(ctx, held.issue.is_pull, entry))
    throw forbidden('must be the author or have write permission')
  return { entry, held }
}
