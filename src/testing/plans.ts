/** Plans: holds PostgreSQL to answering a query from its indexes, so that no list grows slow with its table. */
import assert from 'node:assert/strict'
import { type Expression, sql } from 'kysely'
import type { Db } from '#platform/db'

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

/** Worth asking only of a table that is large and has been analyzed: a small one is best read whole. */
export async function assertIndexed(db: Db, query: Expression<unknown>, table: string): Promise<void> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (format json) ${query}`.execute(
    db,
  )
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  assert(plan !== undefined, 'PostgreSQL has a plan for every query')
  const nodes = flatten(plan)
  assert(
    nodes.some((node) => node['Relation Name'] === table),
    `the query does not read ${table}`,
  )
  const isRead = nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)
  assert(!isRead, `${table} is read from end to end:\n${JSON.stringify(plan, null, 1)}`)
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
