/**
 * Gathers what a source tells only record by record, such as the reviews of each pull request. What belongs to a record
 * is a page of its own, at the place of the record, so that another worker can resume with the next one.
 */
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { ENDED } from '../sources/list-pages.ts'
import type { ImportRow } from '../tables.ts'
import type { RecordKind, SourceRecord } from './source-records.ts'
import { findProgress, keepPage, readPages } from './store.ts'

export interface EachOf<Of extends RecordKind> {
  readonly kind: 'reviews' | 'comments'
  readonly of: Of
  /** Throws when this attempt shall end. */
  readonly goOn: () => void
  /** For messages. */
  readonly many: string
  /** Undefined without a request to the source if the record has none of them. */
  tell(record: SourceRecord<Of>): Promise<readonly unknown[] | undefined>
}

export type Reviews = Pick<EachOf<'pulls'>, 'many' | 'tell'>

const TOLD_BYTES_MAX = 512 * 1024 * 1024

export async function gatherEach<Of extends RecordKind>(
  ctx: Context,
  order: ImportRow,
  { kind, of, goOn, many, tell }: EachOf<Of>,
): Promise<void> {
  const start = await findProgress(ctx.db, order.id, kind)
  let bytes = start?.bytes ?? 0
  let place = -1
  for await (const records of readPages(ctx.db, order.id, of))
    for (const record of records) {
      place += 1
      // Places are counted over all records; the ones before were asked about by an earlier attempt.
      if (start !== undefined && place <= start.place) continue
      const told = await tell(record)
      if (told === undefined) continue
      const content = JSON.stringify(told)
      bytes += Buffer.byteLength(content)
      if (bytes > TOLD_BYTES_MAX) throw invalid(`Migration failed: too many ${many}`)
      await keepPage(ctx, order, { kind, place, size: 0, number: 0, had: 0, next_url: ENDED, content })
      goOn()
    }
}
