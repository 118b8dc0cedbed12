/** Stores the records of an export in `import_page`, as those of a remote server are stored. */
import { Type } from 'typebox'
import { REACTIONS } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { kindsOf, MAX, TOLD_BYTES_MAX } from '../records/gather.ts'
import { gatherEach } from '../records/gather-each.ts'
import type { People } from '../records/match-people.ts'
import { ToldReactions } from '../records/reactions.ts'
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
import { checkLines } from './check-lines.ts'
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

const Reacted = Type.Object({ reactions: Type.Optional(ToldReactions) })

export async function gatherLines(
  ctx: Context,
  order: ImportRow,
  from: ExportedRepository,
  people: People,
): Promise<void> {
  for (const kind of kindsOf(order)) {
    const pages = new Pages(ctx, order, kind)
    const isReacted = kind === 'issues' || kind === 'comments'
    const schema = isReacted ? Type.Intersect([LISTS[kind].item, Reacted]) : LISTS[kind].item
    for await (const record of checkLines(from, kind, schema)) {
      await pages.add(record, MAX[kind])
      if (!isReacted) continue
      const told = record as SourceRecord<'issues'> & { readonly reactions?: ToldReactions }
      from.left.reactions += (told.reactions ?? []).filter(
        ({ user, content }) => !people.has(user.login.toLowerCase()) || !REACTIONS.has(content),
      ).length
      await from.storeFiles(ctx, told)
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
  const lines = checkLines(from, 'reviews', ToldReviewsSchema)
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
