/** One page of a list, and how many there are in all. */
import type { SelectQueryBuilder } from 'kysely'

export interface Paged<T> {
  readonly items: T[]
  readonly total: number
}

export interface PageRange {
  readonly limit: number
  readonly offset: number
}

/**
 * Two statements, whatever is listed and however much of it there is. `counted` are the same rows where fewer tables
 * tell their number.
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
  const items = await rows.limit(limit).offset(offset).execute()
  const total = await (counted === undefined ? countRows(rows) : countRows(counted))
  return { items: items as Row[], total }
}

export async function countRows<DB, TB extends keyof DB>(
  rows: SelectQueryBuilder<DB, TB, unknown>,
): Promise<number> {
  const { total } = await countOf(rows).executeTakeFirstOrThrow()
  return total
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
