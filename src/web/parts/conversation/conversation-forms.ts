/** Forms of a conversation, shared by issues and pull requests. */
import type { Form, FormVisit, OperationId } from '#platform/page'
import { Problem } from '#platform/problem'
import { dropSentDraft } from '../../drafts.ts'
import { withUndo } from '../../undo.ts'
import { conversationWords } from '../../words/conversation.ts'
import { attachFiles } from './attach-files.ts'
import type { IssuePath } from './conversation.ts'

type Visit = FormVisit<IssuePath>

/** Issues and pull requests are closed by different operations. */
export function conversationForms(
  edits: 'issueEditIssue' | 'repoEditPullRequest',
): Record<string, Form<IssuePath>> {
  return {
    comment: { does: SAYS, handle: (visit) => say(visit, true) },
    close: { does: [...SAYS, edits, 'undoKeep'], handle: (visit) => sayAndClose(visit, edits) },
    reopen: { does: [...SAYS, edits], handle: (visit) => sayAndSet(visit, edits, 'open') },
    'edit-comment': { does: ['issueEditIssue', 'issueEditComment'], handle: editText },
    'delete-comment': { does: ['issueDeleteComment'], handle: deleteComment },
    react: { does: REACTIONS, handle: react },
    detach: { does: ['issueDeleteIssueAttachment', 'issueDeleteIssueCommentAttachment'], handle: detach },
    /** Sent by an island when a conversation is opened. */
    read: {
      does: ['notifyReadIssue'],
      handle: async ({ ask, fields, path }) => {
        const [issue_id = 0, seen_ms_ago = 0] = [fields.number('issue'), fields.number('seen_ms_ago')]
        await ask('notifyReadIssue', {}, { issue_id, seen_ms_ago: Math.max(0, seen_ms_ago) })
        return path
      },
    },
    tasks: { does: ['issueEditIssue', 'issueEditComment'], handle: tick },
  }
}

/** A comment may have attachments, and its draft is deleted. */
const SAYS: readonly OperationId[] = [
  'issueCreateComment',
  'issueCreateIssueCommentAttachment',
  'issueEditComment',
  'draftsDrop',
]

const REACTIONS: readonly OperationId[] = [
  'issuePostIssueReaction',
  'issueDeleteIssueReaction',
  'issuePostCommentReaction',
  'issueDeleteCommentReaction',
]

async function say(visit: Visit, isAllOfIt: boolean): Promise<string> {
  const { ask, params, fields, path } = visit
  const files = fields.files('files')
  const body = fields.maybe('body')
  if (body === undefined && files.length === 0 && !isAllOfIt) return path
  const text = body ?? names(files)
  const { id } = await ask('issueCreateComment', params, { body: text })
  await dropSentDraft(visit)
  await attachFiles(visit, {
    text,
    attach: (file) => ask('issueCreateIssueCommentAttachment', { ...params, id }, undefined, file),
    setText: (changed) => setText(visit, id, changed),
  })
  const last = fields.number('last') ?? 1
  return `${path}${last > 1 ? `?page=${last + 1}` : ''}#issuecomment-${id}`
}

/** A comment needs a text: for attachments alone it is their names. */
function names(files: readonly { readonly name: string }[]): string {
  return files.map(({ name }) => name).join(', ')
}

async function sayAndSet(
  visit: Visit,
  edits: 'issueEditIssue' | 'repoEditPullRequest',
  state: 'open' | 'closed',
): Promise<string> {
  const to = await say(visit, false)
  await visit.ask(edits, visit.params, { state })
  return to
}

async function sayAndClose(visit: Visit, edits: 'issueEditIssue' | 'repoEditPullRequest'): Promise<string> {
  const { owner, repo, index } = visit.params
  const to = await sayAndSet(visit, edits, 'closed')
  const is_pull = edits === 'repoEditPullRequest'
  return withUndo(visit, to, { kind: 'closed', owner, repo, index: Number(index), is_pull })
}

async function editText(visit: Visit): Promise<string> {
  const { fields, path } = visit
  const id = fields.number('id') ?? 0
  await setText(visit, id, fields.text('body'), fields.number('content_version'))
  return `${path}#${anchor(visit, id)}`
}

/** Id 0 is the text of the issue itself. With `version`, a text that was changed meanwhile is not overwritten. */
async function setText({ ask, params }: Visit, id: number, body: string, version?: number): Promise<void> {
  if (id !== 0) await ask('issueEditComment', { ...params, id }, { body })
  else
    await ask('issueEditIssue', params, { body, ...(version !== undefined && { content_version: version }) })
}

async function deleteComment({ ask, params, fields, path }: Visit): Promise<string> {
  await ask('issueDeleteComment', { ...params, id: fields.number('id') ?? 0 })
  return path
}

async function react(visit: Visit): Promise<string> {
  const { ask, params, fields, path } = visit
  const id = fields.number('id') ?? 0
  const removed = fields.maybe('remove')
  const content = removed ?? fields.required('content')
  const comment = { owner: params.owner, repo: params.repo, id }
  if (id === 0)
    await ask(removed === undefined ? 'issuePostIssueReaction' : 'issueDeleteIssueReaction', params, {
      content,
    })
  else
    await ask(removed === undefined ? 'issuePostCommentReaction' : 'issueDeleteCommentReaction', comment, {
      content,
    })
  return `${path}#${anchor(visit, id)}`
}

async function detach(visit: Visit): Promise<string> {
  const { ask, params, fields, path } = visit
  const { owner, repo, index } = params
  const id = fields.number('id') ?? 0
  const attachment_id = fields.number('file') ?? 0
  if (id === 0) await ask('issueDeleteIssueAttachment', { owner, repo, index, attachment_id })
  else await ask('issueDeleteIssueCommentAttachment', { owner, repo, id, attachment_id })
  return `${path}#${anchor(visit, id)}`
}

const BOX = /^(\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(?=\]\s)/gm
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm

/** Ticks task boxes as sent, unless the boxes of the text have changed meanwhile. */
async function tick(visit: Visit): Promise<string> {
  const { ask, params, fields, path } = visit
  const id = fields.number('id') ?? 0
  const issue = id === 0 ? await ask('issueGetIssue', params) : undefined
  const text = issue?.body ?? (await ask('issueGetComment', { ...params, id }))?.body ?? ''
  const ticked = new Set(fields.numbers('task'))
  const fences = [...text.matchAll(FENCED)].map((it) => [it.index, it.index + it[0].length] as const)
  let number = 0
  const changed = text.replace(BOX, (whole, before: string, _mark: string, at: number) => {
    if (fences.some(([from, to]) => at >= from && at < to)) return whole
    return `${before}${ticked.has(number++) ? 'x' : ' '}`
  })
  if (number !== fields.number('boxes')) throw new Problem('conflict', conversationWords.tasksMoved)
  if (changed !== text) await setText(visit, id, changed, issue?.content_version)
  return `${path}#${anchor(visit, id)}`
}

function anchor({ params }: Visit, id: number): string {
  return id === 0 ? `issue-${params.index}` : `issuecomment-${id}`
}
