/** Putting issues on boards, moving them there and taking them away. */

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

/** Which issue, and on which board. */
interface Which {
  readonly id: number
  readonly issue_id: number
}

/** To the end of a column; into the project if it was not there. */
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

/** To a place in a column of a project that it is in; null is the end. */
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

/** Out of a column, and so out of the project. */
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
 * Locked, as it is now. What is on the board of an account is an issue of a repository of that account, which stays so
 * until the transaction ends.
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

/** Compat: what comes to another column than the default one is told as added, and as moved. */
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
