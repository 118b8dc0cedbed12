/**
 * Plans: asserts that PostgreSQL answers a query from its indexes, so that no list becomes slow with a large table.
 *
 * A prepared statement eventually gets a generic plan, so that is checked, too; a statement marked with `CUSTOM_PLAN`
 * never does.
 */
import assert from 'node:assert/strict'
import { type Expression, sql } from 'kysely'
import { type Db, isWorthPreparing } from '#platform/db'

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}
type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] }

/** Meaningful only for a large and analyzed table: a small one is best read whole. */
export async function assertIndexed(db: Db, query: Expression<unknown>, table: string): Promise<void> {
  const { rows } = await sql<Explained>`explain (format json) ${query}`.execute(db)
  assertReads(rows[0], table, 'for these values')
  const text = sql`${query}`.compile(db).sql
  if (isWorthPreparing(text)) assertReads(await explainGeneric(db, text), table, 'in its generic plan')
}

/** The generic plan: what PostgreSQL makes of a statement without knowing the values. */
function explainGeneric(db: Db, text: string): Promise<Explained | undefined> {
  return db.transaction().execute(async (tx) => {
    const values = Array.from(new Set(text.match(/\$\d+/g)), () => 'null')
    const call = values.length === 0 ? '' : `(${values.join()})`
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
    await sql`prepare asked as ${sql.raw(text)}`.execute(tx)
    try {
      const { rows } = await sql<Explained>`explain (format json) execute asked${sql.raw(call)}`.execute(tx)
      return rows[0]
    } finally {
      await sql`deallocate asked`.execute(tx)
    }
  })
}

function assertReads(explained: Explained | undefined, table: string, when: string): void {
  const plan = explained?.['QUERY PLAN'][0].Plan
  assert(plan !== undefined, 'PostgreSQL has a plan for every query')
  const nodes = flatten(plan)
  assert(
    nodes.some((node) => node['Relation Name'] === table),
    `the query does not read ${table}`,
  )
  const isRead = nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === table)
  assert(!isRead, `${when} ${table} is read from end to end:\n${JSON.stringify(plan, null, 1)}`)
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
