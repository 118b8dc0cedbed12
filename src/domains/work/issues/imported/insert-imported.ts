/**
 * Inserts imported issues, including those of pull requests, with their repository. Keeps numbers, times and the names
 * of authors who have no accounts here. Emits no events: an import is not news.
 */

import { attachImported } from '#domains/code/attachments'
import { countChange } from '#domains/code/repositories'
import { countLabels } from '#domains/work/labels'
import { countInMilestones } from '#domains/work/milestones'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { cutTitle } from '#platform/rest'
import { insertAssignees } from '../assigning/store.ts'
import { PINNED_MAX } from '../pins/pin-issue.ts'
import type { EntryRow, IssueRow, ReactionRow } from '../tables.ts'
import {
  countAllComments,
  countByMilestone,
  countOpen,
  holdNumbers,
  insertComments,
  insertIssueLabels,
  insertIssues,
  insertReactions,
  placePins,
  setLastNumber,
} from './store.ts'

/** The author: an account here, or the name and id at the source. */
interface Authored {
  readonly author_id: number | null
  readonly original_author: string
  readonly original_author_id: number
  readonly import_host_id: number | null
  readonly created_at: Date
  readonly updated_at: Date
}

export interface ImportedIssue
  extends Authored,
    Pick<
      IssueRow,
      | 'number'
      | 'is_pull'
      | 'title'
      | 'body'
      | 'is_closed'
      | 'closed_at'
      | 'merged_at'
      | 'is_locked'
      | 'deadline_at'
      | 'ref'
      | 'pin_position'
    > {
  /** By name; labels that were not imported are skipped. */
  readonly labels: readonly string[]
  readonly milestone: string | null
  /** Accounts. */
  readonly assignees: readonly number[]
  readonly files: Files
  readonly reactions: readonly ImportedReaction[]
}

/** Of an account here. */
export type ImportedReaction = Pick<ReactionRow, 'user_id' | 'content' | 'created_at'>

/** Uuids of stored attachments that have no owner yet. */
type Files = readonly string[]

export interface ImportedComment extends Authored {
  /** Number of the issue. */
  readonly number: number
  readonly body: string
  readonly files: Files
  readonly reactions: readonly ImportedReaction[]
}

/** A timeline entry other than a comment, supplied by the slice that owns its kind. */
export interface ImportedEntry extends Authored, Pick<EntryRow, 'kind' | 'body' | 'payload'> {}

/** What was inserted so far, by the names the source uses. */
interface IssueImport {
  readonly repositoryId: number
  readonly labelIds: ReadonlyMap<string, number>
  readonly milestoneIds: ReadonlyMap<string, number>
  readonly issueIds: Map<number, number>
  /** Issues whose pull requests are not inserted yet. */
  readonly pullIds: Map<number, number>
  /** Uses of each label. */
  readonly uses: Map<number, { issues: number; closed_issues: number }>
}

/** Locks the repository's numbers until the transaction ends. */
export async function beginImport(
  ctx: TxContext,
  repositoryId: number,
  ids: Pick<IssueImport, 'labelIds' | 'milestoneIds'>,
): Promise<IssueImport> {
  await holdNumbers(ctx.db, repositoryId)
  return {
    repositoryId,
    ...ids,
    issueIds: new Map(),
    pullIds: new Map(),
    uses: new Map(),
  }
}

/** Of issues with the same number, the first is kept. */
export async function insertImportedIssues(
  ctx: TxContext,
  into: IssueImport,
  issues: readonly ImportedIssue[],
): Promise<void> {
  const fresh = issues.filter(
    ({ number }, place) =>
      !into.issueIds.has(number) && issues.findIndex((other) => other.number === number) === place,
  )
  const { db } = ctx
  const rows = fresh.map(
    ({ labels: _, assignees: __, files: ___, reactions: ____, milestone, ...issue }) => ({
      ...issue,
      repository_id: into.repositoryId,
      title: cutTitle(issue.title),
      milestone_id: into.milestoneIds.get(milestone ?? '') ?? null,
    }),
  )
  for (const { id, number, is_pull } of await insertIssues(db, rows)) {
    into.issueIds.set(number, id)
    if (is_pull) into.pullIds.set(number, id)
  }
  await insertIssueLabels(
    db,
    fresh.flatMap((issue) => labelsOf(into, issue)),
  )
  for (const { number, assignees, files } of fresh) {
    const id = into.issueIds.get(number)
    if (id === undefined) continue
    await insertAssignees(ctx, id, assignees)
    await attachImported(ctx, into.repositoryId, { kind: 'issue', id }, files)
  }
  await insertReactions(
    db,
    fresh.flatMap(({ number, reactions }) =>
      reactions.map((it) => ({ ...it, issue_id: into.issueIds.get(number) ?? 0, comment_id: null })),
    ),
  )
}

export async function insertImportedComments(
  ctx: TxContext,
  { repositoryId, issueIds }: IssueImport,
  comments: readonly ImportedComment[],
): Promise<void> {
  const wanted = comments.filter(({ number }) => issueIds.has(number))
  const rows = wanted.map(({ number, files: _, reactions: __, ...comment }) => {
    const issue_id = must(issueIds.get(number), 'it was imported before')
    return { ...comment, issue_id, repository_id: repositoryId, kind: 'comment' as const }
  })
  const ids = await insertComments(ctx.db, rows)
  for (const [i, { files }] of wanted.entries()) {
    const id = must(ids[i], 'each is written')
    await attachImported(ctx, repositoryId, { kind: 'comment', id }, files)
  }
  await insertReactions(
    ctx.db,
    wanted.flatMap(({ number, reactions }, i) =>
      reactions.map((it) => ({ ...it, issue_id: issueIds.get(number) ?? 0, comment_id: ids[i] ?? 0 })),
    ),
  )
}

/** Returns their ids. */
export async function insertImportedEntries(
  { db }: TxContext,
  { repositoryId, issueIds }: IssueImport,
  number: number,
  entries: readonly ImportedEntry[],
): Promise<number[]> {
  const issue_id = must(issueIds.get(number), 'the issue was imported before')
  const rows = entries.map((it) => ({ ...it, issue_id, repository_id: repositoryId }))
  return insertComments(db, rows)
}

/** `last`: the highest number of an issue or pull request at the source; new numbers start above it. */
export async function finishImport(ctx: TxContext, into: IssueImport, last: number): Promise<void> {
  const { repositoryId, uses } = into
  for (const [id, by] of [...uses].sort(([a], [b]) => a - b)) await countLabels(ctx.db, [id], by)
  await countInMilestones(ctx.db, await countByMilestone(ctx.db, repositoryId))
  await countAllComments(ctx.db, repositoryId)
  await setLastNumber(ctx.db, repositoryId, last)
  await placePins(ctx.db, repositoryId, PINNED_MAX)
  await countChange(ctx, repositoryId, {
    open_issues: await countOpen(ctx.db, repositoryId, false),
    open_pulls: await countOpen(ctx.db, repositoryId, true),
  })
}

function labelsOf({ issueIds, labelIds, uses }: IssueImport, { number, labels, is_closed }: ImportedIssue) {
  const issue_id = issueIds.get(number)
  if (issue_id === undefined) return []
  const ids = new Set(labels.flatMap((name) => labelIds.get(name) ?? []))
  return [...ids].map((label_id) => {
    const used = uses.get(label_id) ?? { issues: 0, closed_issues: 0 }
    used.issues += 1
    used.closed_issues += Number(is_closed)
    uses.set(label_id, used)
    return { issue_id, label_id }
  })
}
