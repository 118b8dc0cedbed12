/** Stores the records of an export in `import_page`, as those of a remote server are stored. */
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { kindsOf, MAX, TOLD_BYTES_MAX } from '../records/gather.ts'
import { gatherEach } from '../records/gather-each.ts'
import { LISTS, type SourceRecord } from '../records/source-records.ts'
import {
  isGiven,
  REVIEWS_MAX,
  SourceLine,
  SourceReview,
  type ToldReviews,
} from '../records/source-reviews.ts'
import { keepPage } from '../records/store.ts'
import type { ImportPageRow, ImportRow } from '../tables.ts'
import type { ExportedRepository } from './exported-repository.ts'

const PAGE_RECORDS = 50
const PAGE_BYTES = 8 * 1024 * 1024
const LINES_MAX = 1_000

const ToldReviewsSchema = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  reviews: Type.Array(
    Type.Intersect([SourceReview, Type.Object({ lines: Type.Array(SourceLine, { maxItems: LINES_MAX }) })]),
    { maxItems: REVIEWS_MAX },
  ),
})

export async function gatherLines(ctx: Context, order: ImportRow, from: ExportedRepository): Promise<void> {
  for (const kind of kindsOf(order)) {
    const pages = new Pages(ctx, order, kind)
    for await (const record of checked(from, kind, LISTS[kind].item)) {
      await pages.add(record, MAX[kind])
      if (kind === 'issues' || kind === 'comments')
        await from.storeFiles(ctx, record as SourceRecord<'issues'>)
    }
    await pages.end()
  }
}

/** After the pull requests, in their order. */
export async function gatherReviewLines(
  ctx: Context,
  order: ImportRow,
  from: ExportedRepository,
): Promise<void> {
  const lines = checked(from, 'reviews', ToldReviewsSchema)
  const next = async () => (await lines.next()).value as ToldReviews | undefined
  let told = await next()
  await gatherEach(ctx, order, {
    kind: 'reviews',
    of: 'pulls',
    many: 'reviews',
    goOn: () => {},
    tell: async ({ number }) => {
      if (told?.number !== number) return undefined
      const page = [{ ...told, reviews: told.reviews.filter(isGiven) }]
      told = await next()
      return page
    },
  })
  if (told !== undefined) throw invalid('reviews are not in the order of their pull requests')
}

async function* checked(
  from: ExportedRepository,
  kind: string,
  schema: TSchema,
): AsyncGenerator<unknown, undefined> {
  const fitting = Compile(schema)
  for await (const record of from.lines(kind)) {
    if (!fitting.Check(record)) throw invalid(`${kind}.jsonl has a record that is not of the format`)
    yield record
  }
  return undefined
}

class Pages {
  readonly #ctx: Context
  readonly #order: ImportRow
  readonly #kind: ImportPageRow['kind']
  #texts: string[] = []
  #pageBytes = 0
  #bytes = 0
  #had = 0
  #place = 0

  constructor(ctx: Context, order: ImportRow, kind: ImportPageRow['kind']) {
    this.#ctx = ctx
    this.#order = order
    this.#kind = kind
  }

  async add(record: unknown, most: number): Promise<void> {
    await this.keep(record)
    if (this.#had > most) throw invalid(`Migration failed: too many ${this.#kind}`)
    if (this.#texts.length >= PAGE_RECORDS || this.#pageBytes >= PAGE_BYTES) await this.flush()
  }

  async keep(record: unknown): Promise<void> {
    const text = JSON.stringify(record)
    this.#texts.push(text)
    this.#had += 1
    this.#pageBytes += Buffer.byteLength(text)
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > TOLD_BYTES_MAX) throw invalid(`Migration failed: too many ${this.#kind}`)
  }

  async end(): Promise<void> {
    if (this.#texts.length > 0) await this.flush()
  }

  async flush(): Promise<void> {
    const progress = { size: PAGE_RECORDS, number: this.#place + 1, had: this.#had }
    const content = `[${this.#texts.join(',')}]`
    const page = { kind: this.#kind, place: this.#place, ...progress, content }
    await keepPage(this.#ctx, this.#order, page)
    this.#place += 1
    this.#texts = []
    this.#pageBytes = 0
  }
}
