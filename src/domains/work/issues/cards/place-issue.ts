/** Adds issues to boards, moves and removes them. */

import { assertUnarchived, getRepository, shareRepository } from '#domains/code/repositories'
import {
  getColumn,
  holdOpenProject,
  moveCard,
  type Placing,
  putCard,
  removeCard,
  type WritablePlace,
} from '#domains/work/projects'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import { applyChange, beginChange } from '../records/change.ts'
import { mayRead } from '../records/open-issue.ts'
import { lockIssues } from '../records/store.ts'
import type { IssueRow } from '../tables.ts'
import type { NewEntry } from '../timeline/entries.ts'

/** The project (`id`) and the issue. */
interface Which {
  readonly id: number
  readonly issue_id: number
}

/** Moves the issue to the end of a column; adds it to the project if needed. */
export async function putIssue(
  ctx: Context,
  place: WritablePlace,
  which: Which & { readonly column_id: number },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const issue = await holdIssue(ctx, place, which.issue_id)
    const project = await holdOpenProject(ctx, place, which.id)
    const column = await getColumn(ctx, project, which.column_id)
    const placing = await putCard(ctx, project, issue, column.id)
    await tell(ctx, place, issue, entriesOf(placing, project.id, column.title))
  })
}

/** Moves the issue within its project; `sorting` null: the end of the column. */
export async function moveIssue(
  ctx: Context,
  place: WritablePlace,
  which: Which & { readonly column_id: number },
  sorting: number | null,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const issue = await holdIssue(ctx, place, which.issue_id)
    const project = await holdOpenProject(ctx, place, which.id)
    const placing = await moveCard(ctx, project, issue, which.column_id, sorting)
    const { title } = await getColumn(ctx, project, which.column_id)
    await tell(ctx, place, issue, entriesOf(placing, project.id, title))
  })
}

/** Removes the issue from a column, and so from the project. */
export async function takeIssue(
  ctx: Context,
  place: WritablePlace,
  which: Which & { readonly column_id: number },
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const issue = await holdIssue(ctx, place, which.issue_id)
    const project = await holdOpenProject(ctx, place, which.id)
    const column = await getColumn(ctx, project, which.column_id)
    if (!(await removeCard(ctx, project, issue, column.id))) throw notFound('issue in column', issue.id)
    await tell(ctx, place, issue, [{ kind: 'project', payload: { old_project_id: project.id } }])
  })
}

/**
 * Locked and read again. On a board of an account, the repository must belong to that account, and is locked so that it
 * keeps its owner until the transaction ends.
 */
async function holdIssue(ctx: TxContext, place: WritablePlace, id: number): Promise<IssueRow> {
  const [issue] = await lockIssues(ctx.db, [id])
  if (issue === undefined || (place.repo !== null && place.repo.id !== issue.repository_id))
    throw notFound('issue', id)
  if (place.repo === null) await shareRepository(ctx.db, issue.repository_id)
  const repo = await getRepository(ctx, issue.repository_id)
  if (!mayRead(repo, issue.is_pull)) throw notFound('issue', id)
  if (repo.owner_id !== place.owner.id) throw forbidden('issue is of a repository of another owner')
  assertUnarchived(repo)
  return issue
}

/** Compat: an issue added to a column other than the default has two entries: added and moved. */
function entriesOf({ isAdded, isMoved }: Placing, project_id: number, column_title: string): NewEntry[] {
  const added: NewEntry = { kind: 'project', payload: { project_id } }
  const moved: NewEntry = { kind: 'project_board', payload: { project_id, column_title } }
  return [...(isAdded ? [added] : []), ...(isMoved ? [moved] : [])]
}

async function tell(
  ctx: TxContext,
  { actor }: WritablePlace,
  issue: IssueRow,
  entries: readonly NewEntry[],
): Promise<void> {
  const change = beginChange(issue, actor)
  change.entries.push(...entries)
  await applyChange(ctx, change)
}
