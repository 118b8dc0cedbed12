/** One page of a list, and how many there are in all. */
import { type SelectQueryBuilder, sql } from 'kysely'

export interface Paged<T> {
  readonly items: T[]
  readonly total: number
}

export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/** Beside the columns of each row; no table has a column that is called so. */
const TOTAL = 'page_total'

/**
 * One statement, whatever is listed and however much of it there is; only who asks for a page behind the last one costs a
 * second. `counted` are the same rows where fewer tables tell their number.
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
  // PostgreSQL counts once, before the first row.
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

/** The statement that counts them. */
export function countOf<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, unknown>,
): SelectQueryBuilder<DB, TB, { total: number }> {
  return rows
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
}
