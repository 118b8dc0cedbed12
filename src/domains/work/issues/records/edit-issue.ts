/** Edits an issue: all given fields or none. */
import type { Repository, Tracker } from '#domains/code/repositories'
import { findMilestone } from '#domains/work/milestones'
import { emit } from '#events'
import { HEADS } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { cutTitle, deadlineOf } from '#platform/rest'
import { assigneesOf, getPeople, setAssignees } from '../assigning/assign.ts'
import { putFirst } from '../assigning/store.ts'
import { setProjects } from '../cards/set-projects.ts'
import { assertClosable } from '../dependencies/depend.ts'
import { eventOf } from '../events.ts'
import { addContentHistory } from '../history/content-history.ts'
import { dropRivals, setLabels } from '../labeling/label-issue.ts'
import { findUsable, listLabelsOf } from '../labeling/store.ts'
import { findMentioned } from '../references/mentions.ts'
import { refer } from '../references/refer.ts'
import { rewords, textOf } from '../references/words.ts'
import type { IssueRow } from '../tables.ts'
import { finishStopwatch } from '../times/run-stopwatch.ts'
import { applyChange, beginChange, type Change } from './change.ts'
import { countIssue } from './count-issue.ts'
import { assertNotBlocked, type Caller, openToEdit, openToWork } from './open-issue.ts'
import type { EditIssue } from './schemas.ts'

export function editIssue(ctx: Context, caller: Caller, number: number, input: EditIssue): Promise<IssueRow> {
  return transact(ctx, async (ctx) => {
    const { tracker, actor } = caller
    const { repo, issue, mayWrite } = await openToEdit(ctx, tracker, number)
    if (input.content_version !== undefined && input.content_version !== issue.content_version)
      throw new Problem('conflict', 'the issue is already changed')
    const change = beginChange(issue, actor)
    const { title, body, ref, state, due_date, unset_due_date, ...plans } = input
    // Compat: ignored for an author without write access, without an error.
    const dates = { due_date, unset_due_date }
    await applyEdits(ctx, change, caller, repo, {
      title,
      body,
      ref,
      state,
      ...(mayWrite ? { ...plans, ...dates } : {}),
    })
    if (mayWrite) await setProjects(ctx, change, repo, input.projects)
    return applyChange(ctx, change)
  })
}

/** Editable fields of issues and pull requests. Absent: unchanged. */
export interface Edits {
  readonly title?: string | undefined
  readonly body?: string | undefined
  /** Only for issues. */
  readonly ref?: string | undefined
  readonly due_date?: string | undefined
  readonly unset_due_date?: boolean | undefined
  readonly assignee?: string | undefined
  readonly assignees?: readonly string[] | undefined
  /** 0: none. */
  readonly milestone?: number | undefined
  readonly labels?: readonly number[] | undefined
  readonly state?: string | undefined
}

export async function applyEdits(
  ctx: TxContext,
  change: Change,
  { tracker }: Caller,
  repo: Repository,
  edits: Edits,
): Promise<void> {
  await editText(ctx, change, repo, edits)
  editRef(change, edits.ref)
  setDeadline(change, askedDeadline(edits))
  await editAssignees(ctx, change, tracker, repo, edits)
  await editMilestone(ctx, change, repo, edits.milestone)
  if (edits.labels !== undefined) await replaceLabels(ctx, change, repo, edits.labels)
  await editState(ctx, change, repo, edits.state)
  await countIssue(ctx, change.issue, { ...change.issue, ...change.patch })
}

async function replaceLabels(
  ctx: TxContext,
  change: Change,
  repo: Repository,
  ids: readonly number[],
): Promise<void> {
  const now = (await listLabelsOf(ctx.db, [change.issue.id])).get(change.issue.id) ?? []
  await setLabels(ctx, change, now, dropRivals(await findUsable(ctx.db, repo, ids)))
}

/** null: no deadline. */
export function editDeadline(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  deadline: Date | null,
): Promise<IssueRow> {
  return transact(ctx, async (ctx) => {
    const { issue } = await openToWork(ctx, tracker, number)
    const change = beginChange(issue, actor)
    setDeadline(change, deadline)
    return applyChange(ctx, change)
  })
}

async function editText(ctx: TxContext, change: Change, repo: Repository, input: Edits): Promise<void> {
  const { issue, actor, patch, entries, telling } = change
  // Compat: an empty title is ignored.
  const title = cutTitle(input.title || issue.title)
  const isTitled = title !== issue.title
  if (isTitled || input.body !== undefined) await assertNotBlocked(ctx, repo, actor, issue)
  if (isTitled) {
    patch.title = title
    entries.push({ kind: 'change_title', payload: { old_title: issue.title, new_title: title } })
  }
  if (input.body !== undefined) {
    patch.body = input.body
    // Compat: an unchanged body increments the version too.
    patch.content_version = issue.content_version + 1
  }
  const isRewritten = input.body !== undefined && input.body !== issue.body
  if (!isTitled && !isRewritten) return
  if (isRewritten) await addContentHistory(ctx, { issueId: issue.id, commentId: null }, issue.body, actor.id)
  const now = { ...issue, ...patch }
  const { references, newMentions, before } = rewords(ctx, textOf(issue), textOf(now))
  const mentions = await findMentioned(ctx, repo, issue, actor, newMentions)
  await refer(ctx, { repo, issue, commentId: null, actor }, references, before)
  const old_title = isTitled ? issue.title : null
  const old_body = isRewritten ? issue.body : null
  telling.push(() => emit(ctx, 'issue.edited', { ...eventOf(issue, actor), mentions, old_title, old_body }))
}

function editRef({ issue, patch, entries }: Change, ref: string | undefined): void {
  if (ref === undefined || ref === issue.ref) return
  patch.ref = ref
  const short = (name: string) => (name.startsWith(HEADS) ? name.slice(HEADS.length) : name)
  entries.push({ kind: 'change_issue_ref', payload: { old_ref: short(issue.ref), new_ref: short(ref) } })
}

function askedDeadline({ due_date, unset_due_date }: Edits): Date | null | undefined {
  if (unset_due_date === true) return null
  if (due_date !== undefined) return deadlineOf(due_date)
  if (unset_due_date === false) throw new Problem('malformed', 'the due_date cannot be empty')
  return undefined
}

function setDeadline({ issue, patch, entries }: Change, deadline: Date | null | undefined): void {
  const old = issue.deadline_at
  if (deadline === undefined || deadline?.getTime() === old?.getTime()) return
  patch.deadline_at = deadline
  if (deadline === null) entries.push({ kind: 'removed_deadline', body: old === null ? '' : dayOf(old) })
  else if (old === null) entries.push({ kind: 'added_deadline', body: dayOf(deadline) })
  else entries.push({ kind: 'modified_deadline', body: `${dayOf(deadline)}|${dayOf(old)}` })
}

function dayOf(deadline: Date): string {
  return deadline.toISOString().slice(0, 10)
}

/**
 * The deprecated `assignee` is added to `assignees` and comes first (D42); if empty and alone, all assignees are
 * removed.
 */
async function editAssignees(
  ctx: TxContext,
  change: Change,
  tracker: Tracker,
  repo: Repository,
  { assignee, assignees }: Edits,
): Promise<void> {
  if (assignee === undefined && assignees === undefined) return
  const people = await getPeople(ctx, tracker, [assignee ?? '', ...(assignees ?? [])].filter(Boolean))
  const now = await assigneesOf(ctx, change.issue)
  await setAssignees(ctx, change, repo, now, people, new Set(people.map(({ id }) => id)))
  const [first] = people
  if (assignee && first !== undefined) await putFirst(ctx.db, change.issue.id, first.id)
}

async function editMilestone(
  ctx: TxContext,
  change: Change,
  repo: Repository,
  id: number | undefined,
): Promise<void> {
  const { issue, actor, patch, entries, telling } = change
  const old = issue.milestone_id
  if (id === undefined || id === (old ?? 0)) return
  if (id !== 0 && (await findMilestone(ctx.db, repo.id, id)) === undefined)
    throw invalid('milestone does not exist', { id })
  patch.milestone_id = id === 0 ? null : id
  entries.push({
    kind: 'milestone',
    payload: { old_milestone_id: old, milestone_id: patch.milestone_id },
  })
  const event = eventOf(issue, actor)
  telling.push(() =>
    id === 0
      ? emit(ctx, 'issue.demilestoned', { ...event, old_milestone_id: old ?? 0 })
      : emit(ctx, 'issue.milestoned', { ...event, milestone_id: id, old_milestone_id: old }),
  )
}

/** `commit`: the commit whose message demands it; empty if a user does. `isForced`: ignores open dependencies. */
export async function editState(
  ctx: TxContext,
  change: Change,
  repo: Repository,
  state: string | undefined,
  { commit = '', isForced = false } = {},
): Promise<void> {
  if (state === undefined) return
  if (state !== 'open' && state !== 'closed') throw new Problem('precondition', 'unknown state', { state })
  const { issue, actor, patch, entries, telling } = change
  if (issue.merged_at !== null)
    throw new Problem('precondition', 'cannot change the state of a merged pull request')
  const isClosed = state === 'closed'
  if (isClosed === issue.is_closed) return
  if (isClosed && !isForced) await assertClosable(ctx, repo, issue)
  patch.is_closed = isClosed
  patch.closed_at = isClosed ? ctx.now() : null
  entries.push({ kind: isClosed ? 'close' : 'reopen' })
  if (isClosed) entries.push(...(await finishStopwatch(ctx, issue, actor.id)))
  const event = { ...eventOf(issue, actor), commit }
  telling.push((entryOf) =>
    isClosed
      ? emit(ctx, 'issue.closed', { ...event, comment_id: entryOf('close') })
      : emit(ctx, 'issue.reopened', { ...event, comment_id: entryOf('reopen') }),
  )
}
