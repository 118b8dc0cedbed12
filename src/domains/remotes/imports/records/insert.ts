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
import { keepImportedAuthors } from '../authors/keep-authors.ts'
import { findHost } from '../authors/store.ts'
import type { ImportRow } from '../tables.ts'
import { kindsOf } from './gather.ts'
import type { Known, KnownAuthors } from './known.ts'
import type { Numbers } from './numbers.ts'
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
  readonly known: Known
  readonly numbers: Numbers
}

interface Inserting extends Target {
  readonly known: KnownAuthors
}

export async function insertGathered(ctx: TxContext, order: ImportRow, given: Target): Promise<void> {
  if (kindsOf(order).length === 0) return
  const now = ctx.now()
  const hostId = given.known.host === null ? null : await findHost(ctx.db, given.known.host)
  // The transaction may be tried again, so files are taken from a copy.
  const known = { ...given.known, files: new Map(given.known.files), hostId, authors: new Map() }
  const target: Inserting = { ...given, known }
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
  await insertComments(ctx, order, into, target)
  await finishImport(ctx, into, last)
  await keepImportedAuthors(ctx, known)
}

/** Returns the highest number. */
async function insertIssues(
  ctx: TxContext,
  order: ImportRow,
  into: IssueImport,
  { heads, known, numbers }: Inserting,
): Promise<number> {
  const now = ctx.now()
  const { withIssues, isPrivate, url } = order.options
  const states = new Map<number, ReturnType<typeof stateOf>>()
  let last = 0
  for await (const records of readPages(ctx.db, order.id, 'pulls')) {
    const told = records.map((it) => ({ ...it, there: it.number, number: numbers.of(it.number) }))
    for (const pull of told)
      if (heads.has(pull.number) && pullOf(pull, '', now, known) !== undefined)
        states.set(pull.number, stateOf(pull, now))
    last = told.reduce((highest, { number }) => Math.max(highest, number), last)
    const own = told.flatMap(({ issue, number, there }) => {
      if (issue === undefined || !states.has(number)) return []
      const origin =
        number === there ? '' : `\n\n*This was merge request !${there} of ${new URL(url).pathname.slice(1)}.*`
      return [{ ...issue, number, body: (numbers.text(issue.body) ?? '') + origin }]
    })
    await insertImportedIssues(
      ctx,
      into,
      own.map((it) => issueOf(it, now, states.get(it.number), known)),
    )
  }
  for await (const records of readPages(ctx.db, order.id, 'issues')) {
    last = records.reduce((highest, { number }) => Math.max(highest, number), last)
    const wanted = records.filter(({ number, pull_request, is_confidential }) =>
      pull_request ? states.has(number) : withIssues && (isPrivate || !is_confidential),
    )
    await insertImportedIssues(
      ctx,
      into,
      wanted.map((it) => {
        const issue = { ...it, body: numbers.text(it.body) }
        return issueOf(issue, now, it.pull_request ? states.get(it.number) : undefined, known)
      }),
    )
  }
  return last
}

async function insertPulls(
  ctx: TxContext,
  order: ImportRow,
  into: IssueImport,
  target: Inserting,
): Promise<void> {
  const { pullIds } = into
  let place = 0
  for await (const records of readPages(ctx.db, order.id, 'pulls')) {
    const pulls = records.flatMap((told) => {
      const it = { ...told, number: target.numbers.of(told.number) }
      const issue_id = pullIds.get(it.number)
      const pull = pullOf(it, target.heads.get(it.number) ?? '', ctx.now(), target.known)
      // A pull request that the source listed twice is inserted once.
      return issue_id !== undefined && pullIds.delete(it.number) && pull !== undefined
        ? [{ ...pull, issue_id }]
        : []
    })
    await insertImportedPulls(ctx, target, pulls)
    const told = await findReviews(ctx.db, order.id, { from: place, to: place + records.length })
    await insertReviews(ctx, into, pulls, target, told)
    place += records.length
  }
  if (order.options.withPulls) await orderBackfill(ctx, { repository_id: target.repositoryId, after: 0 })
}

async function insertReviews(
  ctx: TxContext,
  into: IssueImport,
  pulls: readonly (ImportedPull & { readonly issue_id: number })[],
  { numbers, known }: Pick<Inserting, 'numbers' | 'known'>,
  told: readonly ToldReviews[],
): Promise<void> {
  const byNumber = new Map(told.map((it) => [numbers.of(it.number), it]))
  const withText = <Told extends { readonly body?: string | null }>(it: Told) => ({
    ...it,
    body: numbers.text(it.body),
  })
  for (const { number, issue_id, head_oid, base_oid } of pulls) {
    const { reviews = [], comments = [] } = byNumber.get(number) ?? {}
    const ends = { head: head_oid, base: base_oid || head_oid }
    await insertImportedReviews(
      ctx,
      issue_id,
      reviews.flatMap((it) => {
        const review = { ...withText(it), lines: it.lines.map(withText) }
        return reviewOf(review, ends, ctx.now(), known) ?? []
      }),
      (entries) => insertImportedEntries(ctx, into, number, entries),
    )
    const said = comments.flatMap((it) => commentOf(withText(it), ctx.now(), known) ?? [])
    await insertImportedComments(
      ctx,
      into,
      said.map((it) => ({ ...it, number })),
    )
  }
}

/** A comment that was listed twice, because pages shifted after deletions, is inserted once. */
async function insertComments(
  ctx: TxContext,
  order: ImportRow,
  into: IssueImport,
  { known, numbers }: Inserting,
): Promise<void> {
  const seen = new Set<number>()
  for await (const records of readPages(ctx.db, order.id, 'comments')) {
    const fresh = records.filter(({ id }) => !seen.has(id) && seen.add(id))
    await insertImportedComments(
      ctx,
      into,
      fresh.flatMap((it) => commentOf({ ...it, body: numbers.text(it.body) }, ctx.now(), known) ?? []),
    )
  }
}
