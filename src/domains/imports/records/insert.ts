/** What was gathered becomes labels, milestones, issues and comments of the new repository, in its transaction. */
import {
  beginBringing,
  finishBringing,
  insertBroughtComments,
  insertBroughtIssues,
  insertBroughtMilestones,
} from '#domains/issues'
import { insertBroughtLabels } from '#domains/labels'
import type { TxContext } from '#platform/context'
import type { ImportRow } from '../tables.ts'
import { kindsOf } from './gather.ts'
import { commentOf, issueOf, labelOf, milestoneOf } from './source-records.ts'
import { readPages } from './store.ts'

export async function insertGathered(ctx: TxContext, order: ImportRow, repositoryId: number): Promise<void> {
  if (kindsOf(order).length === 0) return
  const now = ctx.now()
  const labelIds = new Map<string, number>()
  for await (const records of readPages(ctx.db, order.id, 'labels'))
    await insertBroughtLabels(
      ctx,
      repositoryId,
      records.map((it) => labelOf(it, now)),
      labelIds,
    )
  const into = await beginBringing(ctx, repositoryId, labelIds)
  for await (const records of readPages(ctx.db, order.id, 'milestones'))
    await insertBroughtMilestones(
      ctx,
      into,
      records.map((it) => milestoneOf(it, now)),
    )
  let last = 0
  for await (const records of readPages(ctx.db, order.id, 'issues')) {
    last = records.reduce((highest, { number }) => Math.max(highest, number), last)
    await insertBroughtIssues(
      ctx,
      into,
      records.flatMap((it) => issueOf(it, now) ?? []),
    )
  }
  await insertComments(ctx, order, into)
  await finishBringing(ctx, into, last)
}

/** A comment that a source told twice, because others went meanwhile, is there once. */
async function insertComments(
  ctx: TxContext,
  order: ImportRow,
  into: Awaited<ReturnType<typeof beginBringing>>,
): Promise<void> {
  const seen = new Set<number>()
  for await (const records of readPages(ctx.db, order.id, 'comments')) {
    const fresh = records.filter(({ id }) => !seen.has(id) && seen.add(id))
    await insertBroughtComments(
      ctx,
      into,
      fresh.flatMap((it) => commentOf(it, ctx.now()) ?? []),
    )
  }
}
