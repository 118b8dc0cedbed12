/** Former texts of issues and comments: stored with each edit, shown, and cleared. */
import type { Tracker } from '#domains/code/repositories'
import { findAccountsById, type User } from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { forbidden, notFound } from '#platform/problem'
import { type Caller, isTheirs, mayWrite, openIssue, openToJoin } from '../records/open-issue.ts'
import { presentAuthor } from '../records/people.ts'
import { findEntry } from '../timeline/store.ts'

/** Per text; beyond it, the oldest are deleted. */
const KEPT_MAX = 50

/** The text of an issue, or of one of its comments. */
interface TextPlace {
  readonly issueId: number
  readonly commentId: number | null
}

/** Called in the transaction of the edit, under the issue lock, so that no other edit interferes. */
export async function addContentHistory(
  ctx: TxContext,
  { issueId, commentId }: TextPlace,
  text: string,
  editorId: number,
): Promise<void> {
  const row = { issue_id: issueId, comment_id: commentId, text, editor_id: editorId, replaced_at: ctx.now() }
  await ctx.db.insertInto('issue_content_history').values(row).execute()
  const kept = selectContentHistory(ctx.db, { issueId, commentId })
    .select('id')
    .orderBy('id', 'desc')
    .limit(KEPT_MAX)
  const oldest = ctx.db.selectFrom(kept.as('kept')).select((eb) => eb.fn.min('kept.id').as('id'))
  let past = ctx.db.deleteFrom('issue_content_history').where('id', '<', oldest)
  past =
    commentId === null
      ? past.where('issue_id', '=', issueId).where('comment_id', 'is', null)
      : past.where('comment_id', '=', commentId)
  await past.execute()
}

export function selectContentHistory(db: Db, { issueId, commentId }: TextPlace) {
  const past = db.selectFrom('issue_content_history')
  return commentId === null
    ? past.where('issue_id', '=', issueId).where('comment_id', 'is', null)
    : past.where('comment_id', '=', commentId)
}

export interface TextChange {
  readonly id: number
  readonly editor: User
  readonly at: Date
}

export interface ContentHistory {
  /** Latest first. */
  readonly changes: readonly TextChange[]
  /** The requested change, else the latest; null for a text that was cleared. */
  readonly shown: (TextChange & { readonly before: string | null; readonly after: string | null }) | undefined
  readonly author: User
  /** Whether the caller may clear texts. */
  readonly mayForget: boolean
}

/** `number`: the issue; `commentId` 0: the text of the issue itself. */
export async function showContentHistory(
  ctx: Context,
  tracker: Tracker,
  { number, commentId, changeId }: { number: number; commentId: number; changeId: number },
): Promise<ContentHistory> {
  const issue = await openIssue(ctx, tracker, number)
  const comment = commentId === 0 ? null : await getComment(ctx, tracker, issue.id, commentId)
  const place = { issueId: issue.id, commentId: comment?.id ?? null }
  const { id: authorId, body } = comment === null ? textOf(issue) : textOf(comment)
  const rows = await selectContentHistory(ctx.db, place)
    .select(['id', 'editor_id', 'replaced_at'])
    .orderBy('id', 'desc')
    .limit(KEPT_MAX)
    .execute()
  const people = [...rows.map(({ editor_id }) => editor_id), authorId].filter((it) => it !== null)
  const accounts = await findAccountsById(ctx.db, people)
  const present = (id: number | null, at: Date) =>
    presentAuthor(accounts.get(id ?? 0), ctx.actor, ctx.site, at)
  const changes = rows.map((row) => ({
    id: row.id,
    editor: present(row.editor_id, row.replaced_at),
    at: row.replaced_at,
  }))
  const at = Math.max(
    0,
    changes.findIndex(({ id }) => id === changeId),
  )
  const wanted = changes.slice(Math.max(0, at - 1), at + 1).map(({ id }) => id)
  const texts = await findTexts(ctx.db, wanted)
  const [shown, next] = [changes[at], at === 0 ? undefined : changes[at - 1]]
  const after = next === undefined ? body : (texts.get(next.id) ?? null)
  return {
    changes,
    shown: shown && { ...shown, before: texts.get(shown.id) ?? null, after },
    author: present(authorId, issue.created_at),
    mayForget:
      !tracker.access.archived &&
      (mayWrite(tracker, issue.is_pull) || isTheirs(ctx, issue.is_pull, { author_id: authorId })),
  }
}

function textOf({ author_id, body }: { readonly author_id: number | null; readonly body: string }) {
  return { id: author_id, body }
}

async function findTexts(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('issue_content_history')
    .select(['id', 'text'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** Only plain comments: review comments are handled elsewhere. */
async function getComment(ctx: Context, tracker: Tracker, issueId: number, id: number) {
  const entry = await findEntry(ctx, tracker.id, id)
  if (entry === undefined || entry.issue_id !== issueId || entry.kind !== 'comment')
    throw notFound('comment', id)
  return entry
}

/** Clears a text that should not have been published. The entry itself stays. */
export function clearContentHistory(
  ctx: Context,
  { tracker }: Caller,
  number: number,
  changeId: number,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { issue, mayWrite } = await openToJoin(ctx, tracker, number)
    const past = await ctx.db
      .selectFrom('issue_content_history')
      .leftJoin('issue_comment', 'issue_comment.id', 'issue_content_history.comment_id')
      .select(['issue_content_history.comment_id', 'issue_comment.author_id'])
      .where('issue_content_history.id', '=', changeId)
      .where('issue_content_history.issue_id', '=', issue.id)
      .executeTakeFirst()
    if (past === undefined) throw notFound('change', changeId)
    const author_id = past.comment_id === null ? issue.author_id : past.author_id
    if (!mayWrite && !isTheirs(ctx, issue.is_pull, { author_id }))
      throw forbidden('must be the author or have write permission')
    await ctx.db.updateTable('issue_content_history').set({ text: null }).where('id', '=', changeId).execute()
  })
}
