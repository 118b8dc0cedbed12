/** Loads timeline entries with everything shown of them: a fixed number of queries. */
import { listAttachments } from '#domains/code/attachments'
import type { Repository } from '#domains/code/repositories'
import { findTeams } from '#domains/people/orgs'
import { findAccountsById } from '#domains/people/users'
import { findLabels } from '#domains/work/labels'
import { findMilestones } from '#domains/work/milestones'
import type { Context } from '#platform/context'
import { showReadable } from '../records/across.ts'
import { loadSources } from '../references/sources.ts'
import type { EntryRow } from '../tables.ts'
import { showTimes } from '../times/show-times.ts'
import { findTimes } from '../times/store.ts'
import type { FoundEntry } from './store.ts'
import { type Around, type Comment, presentComment } from './wire.ts'

export async function lookAround(
  ctx: Context,
  repo: Repository,
  entries: readonly EntryRow[],
): Promise<Around> {
  const payloads = entries.map(({ payload }) => payload)
  const people = [
    ...entries.flatMap(({ author_id }) => author_id ?? []),
    ...payloads.flatMap(({ assignee_id }) => assignee_id ?? []),
  ]
  const milestoneIds = payloads.flatMap((it) => [it.milestone_id ?? [], it.old_milestone_id ?? []].flat())
  const comments = entries.filter(({ kind }) => kind === 'comment')
  const issueIds = payloads.flatMap(({ dependent_issue_id }) => dependent_issue_id ?? [])
  const timeIds = payloads.flatMap(({ time_id }) => time_id ?? [])
  const labelIds = payloads.flatMap(({ label_id }) => label_id ?? [])
  const teamIds = payloads.flatMap(({ assignee_team_id }) => assignee_team_id ?? [])
  const times = await showTimes(ctx, await findTimes(ctx.db, timeIds))
  return {
    repo,
    viewer: ctx.actor,
    accounts: await findAccountsById(ctx.db, people),
    teams: await findTeams(ctx.db, teamIds),
    labels: await findLabels(ctx.db, labelIds),
    milestones: await findMilestones(ctx.db, milestoneIds),
    attachments: await listAttachments(
      ctx.db,
      'comment',
      comments.map(({ id }) => id),
    ),
    issues: await showReadable(ctx, issueIds),
    times: new Map(times.map((it) => [it.id, it])),
    sources: await loadSources(ctx, entries),
    site: ctx.site,
  }
}

export async function showComment(ctx: Context, repo: Repository, entry: FoundEntry): Promise<Comment> {
  return presentComment(entry, entry, await lookAround(ctx, repo, [entry]))
}
