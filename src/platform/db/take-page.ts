/** One page of a list, and the total. */
import { type SelectQueryBuilder, sql } from 'kysely'

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
  { limit, offset }: PageRange,
  counted?: SelectQueryBuilder<OtherDB, OtherTB, unknown>,
): Promise<Paged<Row>> {
  const count = counted === undefined ? countOf(rows) : countOf(counted)
  // PostgreSQL evaluates the count once, before the first row.
  const found = await rows.select(sql<number>`(${count})`.as(TOTAL)).limit(limit).offset(offset).execute()
  const [first] = found as unknown as { [TOTAL]: number }[]
  if (first === undefined) return { items: [], total: offset === 0 && limit > 0 ? 0 : await totalOf(count) }
  const items = found.map(({ [TOTAL]: _, ...row }: Record<string, unknown>) => row as Row)
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
