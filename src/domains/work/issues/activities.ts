/** What feeds are told of issues, and of pull requests as far as they are issues. */
import { cutText } from '#platform/rest'
import { type Activity, type Acts, activity } from '#slices'
import type { IssueEvent } from './events.ts'
import { findIssue } from './records/store.ts'
import { findEntry } from './timeline/store.ts'

/** Compat: more of a comment is not shown. */
const COMMENT_COLUMNS_MAX = 200
/** No letter takes more of a text than this; the rest need not be counted. */
const COMMENT_LOOKED_AT_MAX = 1_000
/** Compat: a word is not cut in two, unless it is longer than this. */
const WORD_BYTES_MAX = 15

function cutComment(body: string): string {
  const text = body.slice(0, COMMENT_LOOKED_AT_MAX)
  const cut = cutText(text, COMMENT_COLUMNS_MAX)
  const end = cut === text ? -1 : cut.lastIndexOf(' ')
  return end >= 0 && Buffer.byteLength(cut.slice(end)) < WORD_BYTES_MAX ? `${cut.slice(0, end)}…` : cut
}

/** A pull request is an issue underneath, and has words of its own for what happens to both. */
const WORDS = {
  commented: ['comment_issue', 'comment_pull'],
  closed: ['close_issue', 'close_pull_request'],
  reopened: ['reopen_issue', 'reopen_pull_request'],
} as const

function act(
  event: IssueEvent & { readonly comment_id: number },
  [ofIssue, ofPull]: (typeof WORDS)[keyof typeof WORDS],
  text = '',
): Acts {
  const { number, comment_id, is_pull } = event
  const op_type = is_pull ? ofPull : ofIssue
  return { ...event, acts: [{ op_type, content: `${number}|${text}`, comment_id }] }
}

export const issuesActivities: readonly Activity[] = [
  activity('issue.created', async (ctx, event) => {
    // Of a pull request it is told when all of it is there.
    if (event.is_pull) return { ...event, acts: [] }
    const issue = await findIssue(ctx.db, event.repository_id, event.number)
    return { ...event, acts: [{ op_type: 'create_issue', content: `${event.number}|${issue?.title ?? ''}` }] }
  }),
  activity('issue.commented', async (ctx, event) => {
    const comment = await findEntry(ctx.db, event.repository_id, event.comment_id)
    return act(event, WORDS.commented, cutComment(comment?.body ?? ''))
  }),
  activity('issue.closed', async (_ctx, event) => act(event, WORDS.closed)),
  activity('issue.reopened', async (_ctx, event) => act(event, WORDS.reopened)),
]
