/**
 * Stores the records of a source page by page in `import_page`, so that another worker can resume with the next page.
 * They become issues in the transaction that creates the repository.
 */
import type { TSchema } from 'typebox'
import type { Remote } from '#git'
import { type Context, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { limitsOf } from '../limits.ts'
import { type Listed, listPages, speaksRest } from '../sources/list-pages.ts'
import type { ImportRow } from '../tables.ts'
import { gatherReviews } from './gather-reviews.ts'
import { LISTS, type RecordKind } from './source-records.ts'
import { findProgress, insertPage } from './store.ts'

/** Per kind, including records that are skipped; beyond it, the import fails. */
export const MAX: Readonly<Record<RecordKind, number>> = {
  labels: 1_000,
  milestones: 5_000,
  issues: 100_000,
  comments: 500_000,
  pulls: 100_000,
}
/** Per kind, as stored. */
export const TOLD_BYTES_MAX = 512 * 1024 * 1024

/** The requested kinds, in the order in which they are inserted. */
export function kindsOf({ options }: ImportRow): readonly RecordKind[] {
  if (!speaksRest(options.service)) return []
  return [
    ...(options.withLabels ? (['labels'] as const) : []),
    ...(options.withMilestones ? (['milestones'] as const) : []),
    // Sources list pull requests among issues.
    ...(options.withIssues || options.withPulls ? (['issues', 'comments'] as const) : []),
    ...(options.withPulls ? (['pulls'] as const) : []),
  ]
}

export async function gatherRecords(ctx: Context, order: ImportRow, source: Remote): Promise<void> {
  const endsAt = performance.now() + limitsOf(ctx).timeoutMs
  const kinds = kindsOf(order)
  for (const kind of kinds) await gather(ctx, order, source, kind, endsAt)
  if (kinds.includes('pulls')) await gatherReviews(ctx, order, source, endsAt)
}

async function gather(
  ctx: Context,
  order: ImportRow,
  source: Remote,
  kind: RecordKind,
  endsAt: number,
): Promise<void> {
  const listed: Listed<TSchema> = LISTS[kind]
  const { many } = listed
  const { service } = order.options
  const start = await findProgress(ctx.db, order.id, kind)
  if (start?.isEnded) return
  let place = start?.pages ?? 0
  let bytes = start?.bytes ?? 0
  for await (const { items, progress } of listPages(ctx, source, service, listed, start)) {
    const content = JSON.stringify(items)
    bytes += Buffer.byteLength(content)
    if (progress.had > MAX[kind] || bytes > TOLD_BYTES_MAX)
      throw invalid(`Migration failed: too many ${many}`)
    if (performance.now() > endsAt) throw invalid(`Migration failed: listing ${many} took too long`)
    const page = { import_id: order.id, kind, place, ...progress, content }
    if (!(await transact(ctx, (ctx) => insertPage(ctx.db, order, page))))
      throw new Problem('conflict', 'migration was cancelled')
    place += 1
  }
}
