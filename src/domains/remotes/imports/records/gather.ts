/**
 * Stores the records of a source page by page in `import_page`, so that another worker can resume with the next page.
 * They become issues in the transaction that creates the repository.
 */
import type { TSchema } from 'typebox'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { limitsOf } from '../limits.ts'
import { type Listed, listPages } from '../sources/list-pages.ts'
import { PutOff } from '../sources/put-off.ts'
import { findService } from '../sources/services.ts'
import type { SourceApi } from '../sources/source-api.ts'
import type { ImportRow } from '../tables.ts'
import { gatherEach } from './gather-each.ts'
import { openNotes } from './gitlab-notes.ts'
import { GITLAB_LISTS } from './gitlab-records.ts'
import { openReviews } from './reviews-of.ts'
import { LISTS, type RecordKind } from './source-records.ts'
import { findProgress, keepPage } from './store.ts'

/** Per kind, including records that are skipped; beyond it, the import fails. */
export const MAX: Readonly<Record<RecordKind, number>> = {
  labels: 1_000,
  milestones: 5_000,
  issues: 100_000,
  comments: 500_000,
  pulls: 100_000,
  remarks: 500_000,
}
/** Per kind, as stored. */
export const TOLD_BYTES_MAX = 512 * 1024 * 1024
/** An attempt that takes too long makes room for other imports, and goes on after this. */
const TURN_MS = 5_000

/** The requested kinds, in the order in which they are inserted. */
export function kindsOf({ options }: ImportRow): readonly RecordKind[] {
  if (findService(options.service) === undefined) return []
  return [
    ...(options.withLabels ? (['labels'] as const) : []),
    ...(options.withMilestones ? (['milestones'] as const) : []),
    // Sources list pull requests among issues.
    ...(options.withIssues || options.withPulls ? (['issues'] as const) : []),
    // GitLab lists comments for each issue.
    ...((options.withIssues || options.withPulls) && options.service !== 'gitlab'
      ? (['comments'] as const)
      : []),
    ...(options.withPulls ? (['pulls'] as const) : []),
    ...(options.withPulls && options.service === 'github' ? (['remarks'] as const) : []),
  ]
}

export async function gatherRecords(ctx: Context, order: ImportRow, api: SourceApi): Promise<void> {
  const endsAt = performance.now() + limitsOf(ctx).timeoutMs
  const goOn = () => {
    if (performance.now() > endsAt) throw new PutOff(TURN_MS)
  }
  const kinds = kindsOf(order)
  for (const kind of kinds) await gather(ctx, order, api, kind, goOn)
  if (api.name === 'gitlab' && order.options.withIssues)
    await gatherEach(ctx, order, { kind: 'comments', of: 'issues', goOn, ...openNotes(ctx, order, api) })
  if (kinds.includes('pulls'))
    await gatherEach(ctx, order, { kind: 'reviews', of: 'pulls', goOn, ...openReviews(ctx, order, api) })
}

interface Converting extends Listed<TSchema> {
  readonly read?: (item: never) => readonly object[]
}

function listOf({ name }: SourceApi, kind: RecordKind): Converting {
  return name === 'gitlab' && Object.hasOwn(GITLAB_LISTS, kind)
    ? GITLAB_LISTS[kind as keyof typeof GITLAB_LISTS]
    : LISTS[kind]
}

async function gather(
  ctx: Context,
  order: ImportRow,
  api: SourceApi,
  kind: RecordKind,
  goOn: () => void,
): Promise<void> {
  const listed = listOf(api, kind)
  const { many } = listed
  const start = await findProgress(ctx.db, order.id, kind)
  if (start?.isEnded) return
  let place = start?.pages ?? 0
  let bytes = start?.bytes ?? 0
  for await (const { items, progress } of listPages(ctx, api, listed, start)) {
    const content = JSON.stringify(
      listed.read ? items.flatMap((it) => listed.read?.(it as never) ?? []) : items,
    )
    bytes += Buffer.byteLength(content)
    if (progress.had > MAX[kind] || bytes > TOLD_BYTES_MAX)
      throw invalid(`Migration failed: too many ${many}`)
    await keepPage(ctx, order, { kind, place, ...progress, content })
    place += 1
    goOn()
  }
}
