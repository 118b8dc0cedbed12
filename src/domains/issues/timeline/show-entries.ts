/** Entries with all that is shown of them: a fixed number of queries, however many there are. */
import { listAttachments } from '#domains/attachments'
import { findLabels } from '#domains/labels'
import type { Repository } from '#domains/repositories'
import { findAccountsById } from '#domains/users'
import type { Context } from '#platform/context'
import { findMilestones } from '../milestones/store.ts'
import type { EntryRow } from '../tables.ts'
import type { Around } from './wire.ts'

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
  const labelIds = payloads.flatMap(({ label_id }) => label_id ?? [])
  return {
    repo,
    viewer: ctx.actor,
    accounts: await findAccountsById(ctx.db, people),
    labels: await findLabels(ctx.db, labelIds),
    milestones: await findMilestones(ctx.db, milestoneIds),
    attachments: await listAttachments(
      ctx.db,
      'comment',
      comments.map(({ id }) => id),
    ),
    site: ctx.site,
  }
}
