/** Writes rows with their ids into a table; unchanged rows stay as they are. */
import { sql } from 'kysely'
import { sqlStateOf, type Tx } from '#platform/db'
import type { Row } from './carry.ts'

/** A foreign key of one column. */
interface Reference {
  readonly column: string
  readonly table: string
  readonly target: string
  readonly isNullable: boolean
}

export interface Written {
  readonly written: number
  /** Rows whose reference is required and missing, by reason. */
  readonly left: Map<string, number>
}

/** References to rows that are not here become null, or leave the row out. */
export async function writeRows(
  tx: Tx,
  table: string,
  key: readonly string[],
  rows: readonly Row[],
): Promise<Written> {
  const left = new Map<string, number>()
  if (rows.length === 0) return { written: 0, left }
  const kept = await keepReferences(tx, table, rows, left)
  const distinct = [...new Map(kept.map((row) => [key.map((it) => row[it]).join('\0'), row])).values()]
  let written = 0
  for (const [columns, group] of groupByColumns(distinct))
    written += await upsertSound(tx, { table, key, columns }, group, left)
  return { written, left }
}

interface Into {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: readonly string[]
}

/** A row that breaks a rule of the schema is found by halves and left out; the others are written. */
async function upsertSound(
  tx: Tx,
  into: Into,
  rows: readonly Row[],
  left: Map<string, number>,
): Promise<number> {
  await sql`savepoint move_in`.execute(tx)
  try {
    await upsert(tx, into, rows)
    await sql`release savepoint move_in`.execute(tx)
    return rows.length
  } catch (error) {
    const rule = brokenRule(error)
    if (rule === undefined) throw error
    await sql`rollback to savepoint move_in`.execute(tx)
    if (rows.length === 1) {
      left.set(rule, (left.get(rule) ?? 0) + 1)
      return 0
    }
    const half = rows.length >> 1
    const first = await upsertSound(tx, into, rows.slice(0, half), left)
    return first + (await upsertSound(tx, into, rows.slice(half), left))
  }
}

/** Class 23 of SQLSTATE, and texts that a column does not take. */
function brokenRule(error: unknown): string | undefined {
  const state = sqlStateOf(error) ?? ''
  if (!/^(?:23|22)/.test(state)) return undefined
  const { constraint, message } = error as { constraint?: string; message: string }
  return `it breaks a rule of this forge: ${constraint ?? message}`
}

async function upsert(tx: Tx, { table, key, columns }: Into, rows: readonly Row[]): Promise<void> {
  const refs = (names: readonly string[], of: string) =>
    sql.join(names.map((name) => sql.ref(`${of}.${name}`)))
  const names = sql.join(columns.map((name) => sql.ref(name)))
  // An identity column cannot be updated, also not to the value it has.
  const others = columns.filter((name) => !key.includes(name) && name !== 'id')
  const update =
    others.length === 0
      ? sql`do nothing`
      : sql`do update set ${sql.join(others.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}
          where (${refs(others, 'into_table')}) is distinct from (${refs(others, 'excluded')})`
  await sql`insert into ${sql.table(table)} as into_table (${names}) overriding system value
    select ${refs(columns, 'given')} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}) as given
    on conflict (${sql.join(key.map((name) => sql.ref(name)))}) ${update}`.execute(tx)
}

/** Missing columns get their default, so rows are grouped by what they have. */
function groupByColumns(rows: readonly Row[]): [string[], Row[]][] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const columns = Object.keys(row).sort().join(' ')
    const group = groups.get(columns) ?? []
    group.push(row)
    groups.set(columns, group)
  }
  return [...groups].map(([columns, group]) => [columns.split(' '), group])
}

async function keepReferences(
  tx: Tx,
  table: string,
  rows: readonly Row[],
  left: Map<string, number>,
): Promise<Row[]> {
  const columns = new Set(rows.flatMap((row) => Object.keys(row)))
  let kept = [...rows]
  for (const reference of await listReferences(tx, table)) {
    if (!columns.has(reference.column)) continue
    const known = await findTargets(tx, table, reference, kept)
    kept = kept.flatMap((row) => {
      const target = row[reference.column]
      if (target === null || target === undefined || known.has(Number(target))) return [row]
      if (reference.isNullable) return [{ ...row, [reference.column]: null }]
      const reason = `its ${reference.table} is not there`
      left.set(reason, (left.get(reason) ?? 0) + 1)
      return []
    })
  }
  return kept
}

/** References within the rows themselves count: they are written by one statement. */
async function findTargets(
  tx: Tx,
  table: string,
  { column, table: to, target }: Reference,
  rows: readonly Row[],
): Promise<Set<number>> {
  const wanted = [...new Set(rows.flatMap((row) => (row[column] == null ? [] : [Number(row[column])])))]
  if (wanted.length === 0) return new Set()
  const found = await sql<{ id: number }>`
    select ${sql.ref(target)} as id from ${sql.table(to)} where ${sql.ref(target)} = any(${wanted}::bigint[])`.execute(
    tx,
  )
  const own = to === table ? rows.map((row) => Number(row[target])) : []
  return new Set([...found.rows.map(({ id }) => Number(id)), ...own])
}

async function listReferences(tx: Tx, table: string): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select a.attname as "column", f.relname as "table", t.attname as target, not a.attnotnull as "isNullable"
    from pg_constraint as c
    join pg_class as f on f.oid = c.confrelid
    join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute as t on t.attrelid = c.confrelid and t.attnum = c.confkey[1]
    where c.contype = 'f' and c.conrelid = ${table}::regclass and cardinality(c.conkey) = 1`.execute(tx)
  return rows
}
