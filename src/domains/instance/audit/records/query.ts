/** The query of lists of records, and their header. */
import { type Static, Type } from 'typebox'
import type { Context } from '#platform/context'
import { instantOf, pageOf } from '#platform/rest'
import type { AuditRecord } from '../tables.ts'
import type { RecordFilter } from './list-records.ts'
import { Outcome } from './wire.ts'

export const AuditQuery = Type.Object({
  operation: Type.Optional(Type.String({ description: 'only this operation', maxLength: 100 })),
  outcome: Type.Optional(Outcome),
  account_id: Type.Optional(Type.Integer({ description: 'only what this account did' })),
  repository_id: Type.Optional(Type.Integer({ description: 'only what was done to this repository' })),
  since: Type.Optional(Type.String({ description: 'only records of this time or later, in ISO 8601' })),
  until: Type.Optional(Type.String({ description: 'only records before this time, in ISO 8601' })),
  before_id: Type.Optional(
    Type.Integer({ description: 'only records older than this one, for the next page' }),
  ),
  limit: Type.Optional(Type.Integer({ description: 'number of records' })),
})
export type AuditQuery = Static<typeof AuditQuery>

export function filterOf(query: AuditQuery): RecordFilter {
  const { since, until, limit: _, ...others } = query
  return {
    ...others,
    since: instantOf('since', since) ?? undefined,
    until: instantOf('until', until) ?? undefined,
  }
}

export function limitOf(ctx: Context, { limit }: AuditQuery): number {
  return pageOf(ctx, limit === undefined ? {} : { limit }).limit
}

/** The address of the next page, which begins after the last record of this one. */
export function nextLink(
  { ctx, address }: { ctx: Context; address: { path: string; query: URLSearchParams } },
  records: readonly AuditRecord[],
  limit: number,
): Record<string, string> {
  const last = records.at(-1)
  if (last === undefined || records.length < limit) return {}
  const query = new URLSearchParams(address.query)
  query.set('before_id', String(last.id))
  return {
    link: `<${ctx.site.url}${address.path}?${query}>; rel="next"`,
    'access-control-expose-headers': 'Link',
  }
}
