/** Deletes an issue with its timeline. Its number is not reused. */
import { countDeletedFiles } from '#domains/code/attachments'
import { emit } from '#events'
import { type Context, transact } from '#platform/context'
import { eventOf } from '../events.ts'
import { closeGap } from '../pins/store.ts'
import { listCommentIds } from '../timeline/store.ts'
import { countIssue } from './count-issue.ts'
import { type Caller, openToWork } from './open-issue.ts'
import { showIssue } from './show-issues.ts'
import { deleteIssueRow } from './store.ts'

/** The caller is an administrator of the repository. */
export function deleteIssue(ctx: Context, { tracker, actor }: Caller, number: number): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { issue, repo } = await openToWork(ctx, tracker, number)
    const shown = await showIssue({ ...ctx, actor: null }, repo, issue)
    // Emitted while the rows exist, so that handlers can read them.
    await emit(ctx, 'issue.deleted', { ...eventOf(issue, actor), issue: shown })
    await countIssue(ctx, issue, null)
    await countDeletedFiles(ctx, repo.id, 'issue', [issue.id])
    await countDeletedFiles(ctx, repo.id, 'comment', await listCommentIds(ctx.db, issue.id))
    await deleteIssueRow(ctx.db, issue.id)
    await closeGap(ctx.db, issue)
  })
}
