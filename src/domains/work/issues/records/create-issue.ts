/** Creates an issue and assigns its number. */

import { getRepository, type Repository } from '#domains/code/repositories'
import { findWords } from '#domains/instance/markup'
import { findMilestone } from '#domains/work/milestones'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { cutTitle, deadlineOf, type SignedIn } from '#platform/rest'
import { getPeople, setAssignees } from '../assigning/assign.ts'
import { setProjects } from '../cards/set-projects.ts'
import { eventOf } from '../events.ts'
import { dropRivals, setLabels } from '../labeling/label-issue.ts'
import { findUsable } from '../labeling/store.ts'
import { findMentioned } from '../references/mentions.ts'
import { refer } from '../references/refer.ts'
import { textOf } from '../references/words.ts'
import type { IssueRow } from '../tables.ts'
import type { NewEntry } from '../timeline/entries.ts'
import { applyChange, beginChange } from './change.ts'
import { countIssue } from './count-issue.ts'
import { assertWithinHour } from './limits.ts'
import { assertNotBlocked, type Caller, mayWrite } from './open-issue.ts'
import type { CreateIssue } from './schemas.ts'
import { insertIssue, takeNumber } from './store.ts'

/** Fields that need write access to issues. */
type Plans = Pick<CreateIssue, 'assignee' | 'assignees' | 'due_date' | 'labels' | 'milestone' | 'projects'>

export function createIssue(ctx: Context, caller: Caller, input: CreateIssue): Promise<IssueRow> {
  return transact(ctx, async (ctx) => {
    const repo = await getRepository(ctx, caller.tracker.id)
    await assertNotBlocked(ctx, repo, caller.actor)
    return addIssue(ctx, caller, repo, input)
  })
}

/**
 * `begin` makes the issue a pull request: it runs when the issue has its number and before any event, and returns the
 * first timeline entries.
 */
export async function addIssue(
  ctx: TxContext,
  caller: Caller,
  repo: Repository,
  input: CreateIssue,
  begin?: (issue: IssueRow) => Promise<readonly NewEntry[]>,
): Promise<IssueRow> {
  const { tracker, actor } = caller
  const isPull = begin !== undefined
  // Compat: ignored without write access, without an error.
  const plans: Plans = mayWrite(repo, isPull) ? input : {}
  const issue = await insert(ctx, actor, repo, { ...input, isPull }, plans)
  if (!mayWrite(repo, isPull)) await assertWithinHour(ctx, repo, actor.id)
  const { milestone_id } = issue
  const change = beginChange(issue, actor)
  change.entries.push(...((await begin?.(issue)) ?? []))
  const event = eventOf(issue, actor)
  const words = findWords(textOf(issue), ctx.site.url)
  const mentions = await findMentioned(ctx, repo, issue, actor, words.mentions)
  change.telling.push(() => emit(ctx, 'issue.created', { ...event, mentions }))
  const labels = await findUsable(ctx.db, repo, plans.labels ?? [])
  await setLabels(ctx, change, [], dropRivals(labels))
  await countIssue(ctx, null, issue)
  if (milestone_id !== null) {
    const moved = { old_milestone_id: null, milestone_id }
    change.entries.push({ kind: 'milestone', payload: moved })
    change.telling.push(() => emit(ctx, 'issue.milestoned', { ...event, ...moved }))
  }
  const logins = [...(plans.assignees ?? []), plans.assignee ?? ''].filter(Boolean)
  const people = await getPeople(ctx, tracker, logins)
  await setAssignees(ctx, change, repo, [], people, new Set(people.map((person) => person.id)))
  if (issue.is_closed) {
    change.entries.push({ kind: 'close' })
    change.telling.push((entryOf) =>
      emit(ctx, 'issue.closed', { ...event, comment_id: entryOf('close'), commit: '' }),
    )
  }
  await refer(ctx, { repo, issue, commentId: null, actor }, words.references)
  await setProjects(ctx, change, repo, plans.projects)
  return applyChange(ctx, change)
}

async function insert(
  ctx: TxContext,
  actor: SignedIn,
  repo: Repository,
  input: CreateIssue & { readonly isPull: boolean },
  plans: Plans,
): Promise<IssueRow> {
  const now = ctx.now()
  const isClosed = input.closed ?? false
  // Compat: a milestone that the repository does not have is ignored.
  const milestone = await findMilestone(ctx.db, repo.id, plans.milestone ?? 0)
  return insertIssue(ctx.db, {
    repository_id: repo.id,
    number: await takeNumber(ctx.db, repo.id),
    is_pull: input.isPull,
    author_id: actor.id,
    title: cutTitle(input.title),
    body: input.body ?? '',
    is_closed: isClosed,
    closed_at: isClosed ? now : null,
    milestone_id: milestone?.id ?? null,
    deadline_at: plans.due_date === undefined ? null : deadlineOf(plans.due_date),
    ref: input.ref ?? '',
    created_at: now,
    updated_at: now,
  })
}
