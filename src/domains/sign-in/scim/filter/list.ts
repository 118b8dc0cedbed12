/** One page of the rows that a client's filter matches, in the order that it wants. */
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import { type Paged, type Tables, takePage } from '#platform/db'
import type { ListWish } from '../protocol/requests.ts'
import { parseFilter } from './parse.ts'
import { type Attributes, conditionOf, orderOf } from './to-sql.ts'

export interface Listable {
  readonly attributes: Attributes
  /** Orders rows that are equal otherwise. */
  readonly key: RawBuilder<unknown>
}

export function listWished<Table extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  { filter, sortBy, isDescending, count, startIndex }: ListWish,
  { attributes, key }: Listable,
): Promise<Paged<Row>> {
  const matching = filter === undefined ? rows : rows.where(conditionOf(parseFilter(filter), attributes))
  const order = sortBy === undefined ? undefined : orderOf(sortBy, attributes)
  const ordered = order === undefined ? matching : matching.orderBy(order, isDescending ? 'desc' : 'asc')
  return takePage(ordered.orderBy(key), { limit: count, offset: startIndex - 1 })
}
