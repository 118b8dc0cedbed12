/** One page of a list, and the total. */
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'

export interface Paged<T> {
  readonly items: T[]
  readonly total: number
}

export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/** Added to the columns of each row; no table has a column of this name. */
const TOTAL = 'page_total'

/**
 * One statement for any list; only a page past the end costs a second. `counted` selects the same rows from fewer tables,
 * for a cheaper count.
 */
export async function takePage<
  DB,
  TB extends keyof DB,
  Row,
  OtherDB = DB,
  OtherTB extends keyof OtherDB = never,
>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  range: PageRange,
  counted?: SelectQueryBuilder<OtherDB, OtherTB, unknown>,
): Promise<Paged<Row>> {
  const count = counted === undefined ? countOf(rows) : countOf(counted)
  const found = await withTotal(rows, count, range).execute()
  return pagedOf<Row>(found, range, () => totalOf(count))
}

/** The rows of a page, each with the total: PostgreSQL evaluates the count once, before the first row. */
export function withTotal<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  count: Expression<unknown>,
  { limit, offset }: PageRange,
) {
  return rows.select(sql<number>`(${count})`.as(TOTAL)).limit(limit).offset(offset)
}

/** The page from rows of `withTotal`; past the end they say no total. */
export async function pagedOf<Row>(
  found: readonly unknown[],
  { limit, offset }: PageRange,
  countAll: () => Promise<number>,
): Promise<Paged<Row>> {
  const [first] = found as { [TOTAL]: number }[]
  if (first === undefined) return { items: [], total: offset === 0 && limit > 0 ? 0 : await countAll() }
  const items = (found as Record<string, unknown>[]).map(({ [TOTAL]: _, ...row }) => row as Row)
  return { items, total: first[TOTAL] }
}

export async function countRows<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, unknown>,
): Promise<number> {
  return totalOf(countOf(rows))
}

async function totalOf(count: { executeTakeFirstOrThrow(): Promise<{ total: number }> }): Promise<number> {
  return (await count.executeTakeFirstOrThrow()).total
}

export function countOf<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, unknown>,
): SelectQueryBuilder<DB, TB, { total: number }> {
  return rows
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
}
