/** Inserts the gathered labels, milestones, issues, pull requests and comments, in the repository's transaction. */

import { type ImportedPull, insertImportedPulls, orderBackfill } from '#domains/review/pulls'
import { insertImportedReviews } from '#domains/review/reviews'
import {
  beginImport,
  finishImport,
  insertImportedComments,
  insertImportedEntries,
  insertImportedIssues,
} from '#domains/work/issues'
import { insertImportedLabels } from '#domains/work/labels'
import { insertImportedMilestones } from '#domains/work/milestones'
import type { StorageId } from '#git'
import type { TxContext } from '#platform/context'
import type { ImportRow } from '../tables.ts'
import { kindsOf } from './gather.ts'
import { commentOf, issueOf, labelOf, milestoneOf, pullOf, stateOf } from './source-records.ts'
import { reviewOf, type ToldReviews } from './source-reviews.ts'
import { findReviews, readPages } from './store.ts'

type IssueImport = Awaited<ReturnType<typeof beginImport>>

/** Where the records are inserted. */
export interface Target {
  readonly repositoryId: number
  readonly storageId: StorageId
  /**
   * Imported heads of pull requests, by number. Without its head a pull request is skipped, and its number stays
   * unused.
   */
  readonly heads: ReadonlyMap<number, string>
}

export async function insertGathered(ctx: TxContext, order: ImportRow, target: Target): Promise<void> {
  if (kindsOf(order).length === 0) return
  const now = ctx.now()
  const { repositoryId } = target
  const labelIds = new Map<string, number>()
  for await (const records of readPages(ctx.db, order.id, 'labels'))
    await insertImportedLabels(
      ctx,
      repositoryId,
      records.map((it) => labelOf(it, now)),
      labelIds,
    )
  const milestoneIds = new Map<string, number>()
  for await (const records of readPages(ctx.db, order.id, 'milestones'))
    await insertImportedMilestones(
      ctx,
      repositoryId,
      records.map((it) => milestoneOf(it, now)),
      milestoneIds,
    )
  const into = await beginImport(ctx, repositoryId, { labelIds, milestoneIds })
  const last = await insertIssues(ctx, order, into, target)
  await insertPulls(ctx, order, into, target)
  await insertComments(ctx, order, into)
  await finishImport(ctx, into, last)
}

/** Returns the highest number. */
async function insertIssues(
  ctx: TxContext,
  order: ImportRow,
  into: IssueImport,
  { heads }: Target,
): Promise<number> {
  const now = ctx.now()
  const states = new Map<number, ReturnType<typeof stateOf>>()
  for await (const records of readPages(ctx.db, order.id, 'pulls'))
    for (const pull of records)
      if (heads.has(pull.number) && pullOf(pull, '', now) !== undefined)
        states.set(pull.number, stateOf(pull, now))
  let last = 0
  for await (const records of readPages(ctx.db, order.id, 'issues')) {
    last = records.reduce((highest, { number }) => Math.max(highest, number), last)
    const wanted = records.filter(({ number, pull_request }) =>
      pull_request ? states.has(number) : order.options.withIssues,
    )
    await insertImportedIssues(
      ctx,
      into,
      wanted.map((it) => issueOf(it, now, it.pull_request ? states.get(it.number) : undefined)),
    )
  }
  return last
}

async function insertPulls(
  ctx: TxContext,
  order: ImportRow,
  into: IssueImport,
  target: Target,
): Promise<void> {
  const { pullIds } = into
  let place = 0
  for await (const records of readPages(ctx.db, order.id, 'pulls')) {
    const pulls = records.flatMap((it) => {
      const issue_id = pullIds.get(it.number)
      const pull = pullOf(it, target.heads.get(it.number) ?? '', ctx.now())
      // A pull request that the source listed twice is inserted once.
      return issue_id !== undefined && pullIds.delete(it.number) && pull !== undefined
        ? [{ ...pull, issue_id }]
        : []
    })
    await insertImportedPulls(ctx, target, pulls)
    const places = { from: place, to: place + records.length }
    await insertReviews(ctx, into, pulls, await findReviews(ctx.db, order.id, places))
    place = places.to
  }
  if (order.options.withPulls) await orderBackfill(ctx, { repository_id: target.repositoryId, after: 0 })
}

async function insertReviews(
  ctx: TxContext,
  into: IssueImport,
  pulls: readonly (ImportedPull & { readonly issue_id: number })[],
  told: ReadonlyMap<number, ToldReviews>,
): Promise<void> {
  for (const { number, issue_id, head_oid, base_oid } of pulls) {
    const reviews = told.get(number)?.reviews ?? []
    const ends = { head: head_oid, base: base_oid || head_oid }
    await insertImportedReviews(
      ctx,
      issue_id,
      reviews.flatMap((it) => reviewOf(it, ends, ctx.now()) ?? []),
      (entries) => insertImportedEntries(ctx, into, number, entries),
    )
  }
}

/** A comment that was listed twice, because pages shifted after deletions, is inserted once. */
async function insertComments(ctx: TxContext, order: ImportRow, into: IssueImport): Promise<void> {
  const seen = new Set<number>()
  for await (const records of readPages(ctx.db, order.id, 'comments')) {
    const fresh = records.filter(({ id }) => !seen.has(id) && seen.add(id))
    await insertImportedComments(
      ctx,
      into,
      fresh.flatMap((it) => commentOf(it, ctx.now()) ?? []),
    )
  }
}
