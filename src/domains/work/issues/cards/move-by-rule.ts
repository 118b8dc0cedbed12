/**
 * Cards that move by the rules of their board when their issue is closed or reopened, or their pull request merged: in
 * the transaction of the event, and only on boards that the person who did it may change.
 */
import { getRepository } from '#domains/code/repositories'
import { findRuledMoves, keepWritable, lockProjects, putCard, type RuleEvent } from '#domains/work/projects'
import { type Handler, handler } from '#events/handler'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { asSignedIn } from '#platform/rest'
import { applyChange, beginChange } from '../records/change.ts'
import { lockIssues } from '../records/store.ts'

export const ruleHandlers = [
  handler('issue.closed', (ctx, event) => moveByRule(ctx, event, 'closed')),
  handler('issue.reopened', (ctx, event) => moveByRule(ctx, event, 'reopened')),
  handler('pull.merged', (ctx, event) => moveByRule(ctx, event, 'merged')),
] as readonly Handler[]

async function moveByRule(
  ctx: TxContext,
  about: { readonly issue_id: number; readonly repository_id: number; readonly actor_id: number },
  event: RuleEvent,
): Promise<void> {
  // A deploy key that deletes a branch closes pull requests in the name of a person, but has no right on boards.
  if (ctx.actor?.id !== about.actor_id) return
  const found = await findRuledMoves(ctx.db, about.issue_id, event)
  if (found.length === 0) return
  const repo = await getRepository(ctx, about.repository_id)
  const [issue] = await lockIssues(ctx.db, [about.issue_id])
  const change = beginChange(must(issue, 'the event is about it'), asSignedIn({ ctx }))
  const projects = await lockProjects(
    ctx.db,
    found.map(({ project_id }) => project_id),
  )
  // Read again, because a rule may have changed before the lock.
  const moves = new Map(
    (await findRuledMoves(ctx.db, about.issue_id, event)).map((it) => [it.project_id, it]),
  )
  for (const project of await keepWritable(ctx, projects, repo)) {
    const to = moves.get(project.id)
    if (to === undefined) continue
    await putCard(ctx, project, change.issue, to.column_id)
    change.entries.push({
      kind: 'project_board',
      payload: { project_id: project.id, column_title: to.title },
    })
  }
  await applyChange(ctx, change)
}
