/**
 * Which statements and transactions stay in one database, and which cross: reads what `collect.ts` has written and prints
 * the tables of docs/beyond-one-postgresql.md.
 *
 *   node test/shards/crossings.ts FOLDER
 *
 * PostgreSQL itself tells the tables of a statement: those that it locks when it prepares it. Whether the statement asks
 * for one network is read from its text, by the columns that it compares with a value.
 */
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openPool, type Pool } from '#platform/pool'
import { createDatabase } from '#testing/database'
import { type Place, placeOf } from './tables.ts'

const TIMEOUT_MS = 60_000
/** Sources that belong to no operation. */
const APART = /^src\/(?:move-in|cli|testing|platform\/migrate)/
const INSERTED = /^(?:with \w+ as \(\s*)?insert into[\s\S]*(?:\bvalues\b|\bunnest\(\$)/
/** A column compared with a value or a list of them. */
const COMPARED = /(?:"?(\w+)"?\.)?"?(\w+)"?\s*(=|\bin\b)\s*(any\s*\(\s*\$|\(?\$|\(select|\(values)/gi

interface Sent {
  readonly text: string
  readonly source: string
  readonly tables: readonly string[]
}

/**
 * `one`: rows of one network. `several`: rows of networks by a list of ids. `with rights`: either of them, read together
 * with tables of the instance. `all shards`: rows of networks without a key of one. `own rows`: rows of an account read
 * together with rows of networks.
 */
const KINDS = [
  'instance',
  'account',
  'local',
  'one',
  'several',
  'with rights',
  'all shards',
  'own rows',
] as const
type Kind = (typeof KINDS)[number]

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node test/shards/crossings.ts FOLDER')
const database = await createDatabase()
const pool = openPool({
  url: database.url,
  poolMax: 1,
  connectTimeoutMs: TIMEOUT_MS,
  statementTimeoutMs: TIMEOUT_MS,
})
try {
  const { statements, transactions } = await readAll(folder)
  const keys = await keysOfNetworks(pool)
  const sent: Sent[] = []
  const unread: string[] = []
  for (const [text, source] of statements) {
    const tables = await tablesIn(pool, text)
    if (tables === undefined) unread.push(`${source}: ${text.slice(0, 200)}`)
    else if (tables.length > 0) sent.push({ text, source, tables })
  }
  printStatements(sent.map((it) => ({ ...it, kind: kindOf(it, keys) })))
  printTransactions(transactions)
  await printTriggers(pool)
  console.log(`\n${unread.length} statements were not understood`)
  for (const it of unread) console.error(it)
} finally {
  await pool.end()
  await database.drop()
}

interface Line {
  readonly text?: string
  readonly transaction?: readonly string[]
  readonly source: string | null
}

/** Distinct statements, and sets of tables that a transaction wrote, by their source. */
async function readAll(folder: string) {
  const statements = new Map<string, string>()
  const transactions = new Map<string, { tables: readonly string[]; source: string }>()
  for await (const { text, source, transaction = [] } of linesOf(folder)) {
    if (source === null || APART.test(source)) continue
    if (text !== undefined) statements.set(text, source)
    const tables = transaction.filter((it) => placeOf(it) !== undefined)
    if (tables.length > 0) transactions.set(`${source} ${tables.join()}`, { tables, source })
  }
  return { statements, transactions: [...transactions.values()] }
}

async function* linesOf(folder: string): AsyncGenerator<Line> {
  for await (const file of glob(join(folder, '*.jsonl')))
    for (const line of (await readFile(file, 'utf8')).split('\n'))
      if (line !== '') yield JSON.parse(line) as Line
}

/** Undefined for a statement that PostgreSQL does not take. */
async function tablesIn(pool: Pool, text: string): Promise<string[] | undefined> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`prepare statement as ${text}`)
    const { rows } = await client.query<{ name: string }>(
      `select distinct relname as name from pg_locks join pg_class on pg_class.oid = relation
       where pid = pg_backend_pid() and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
    )
    await client.query('deallocate statement')
    return rows.map(({ name }) => name)
  } catch {
    return undefined
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Columns that name a row of a network: foreign keys to its tables, `id`, and columns with other unique names of a row. */
async function keysOfNetworks(pool: Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string; to: string }>(
    `select attname as name, confrelid::regclass::text as "to" from pg_constraint
     join pg_attribute on attrelid = conrelid and attnum = any (conkey) where contype = 'f'`,
  )
  const found = rows.filter(({ to }) => placeOf(to) === 'network').map(({ name }) => name)
  return new Set([...found, 'storage_id', 'stamp', 'pack_id', 'uuid', 'digest', 'webhook_id'])
}

function kindOf({ text, tables }: Sent, keys: ReadonlySet<string>): Kind {
  const places = new Set(tables.map(placeOf))
  const isOfNetwork = places.has('network')
  if (!isOfNetwork) {
    if (places.has('account')) return 'account'
    if (places.has('instance')) return 'instance'
    return places.has('either') ? 'one' : 'local'
  }
  if (places.has('account')) return 'own rows'
  const found = keyIn(text, tables, keys)
  if (found === undefined) return 'all shards'
  return places.has('instance') ? 'with rights' : found
}

/** How the statement names its rows: by one value or by a list of values. */
function keyIn(
  text: string,
  tables: readonly string[],
  keys: ReadonlySet<string>,
): 'one' | 'several' | undefined {
  // New rows come with their keys; a list of rows that `unnest` makes does too.
  if (INSERTED.test(text)) return 'one'
  if (/\bunnest\(\$/.test(text)) return 'several'
  const aliases = aliasesIn(text)
  const isOnlyNetwork = tables.every((it) => placeOf(it) === 'network')
  let found: 'one' | 'several' | undefined
  for (const [, table, column = '', sign = '', value = ''] of text.matchAll(COMPARED)) {
    const place = table === undefined ? undefined : placeOf(aliases.get(table) ?? table)
    const isKey =
      column === 'id' ? place === 'network' || (table === undefined && isOnlyNetwork) : keys.has(column)
    if (!isKey) continue
    if (sign === '=' && !/^any/i.test(value)) return 'one'
    found = 'several'
  }
  return found
}

function aliasesIn(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/"?(\w+)"? as "?(\w+)"?/g)].map(([, table = '', alias = '']) => [alias, table]),
  )
}

/** The slice, or the part of the code below it. */
function partOf(source: string): string {
  const [, first = '', area = '', slice = ''] = source.split('/')
  return first === 'domains' ? `${area}/${slice}` : first
}

function printStatements(statements: readonly (Sent & { kind: Kind })[]): void {
  const parts = [...new Set(statements.map(({ source }) => partOf(source)))].sort()
  console.log(`| slice | ${KINDS.join(' | ')} |\n|---|${KINDS.map(() => '--:|').join('')}`)
  const row = (title: string, of: readonly { kind: Kind }[]) => {
    const counts = KINDS.map((kind) => of.filter((it) => it.kind === kind).length || '')
    console.log(`| ${title} | ${counts.join(' | ')} |`)
  }
  for (const part of parts)
    row(
      part,
      statements.filter(({ source }) => partOf(source) === part),
    )
  row('all', statements)
  for (const kind of ['all shards', 'own rows'] as const) {
    console.log(`\n${kind}:`)
    const files = Map.groupBy(
      statements.filter((it) => it.kind === kind),
      ({ source }) => source,
    )
    for (const [file, of] of [...files].sort()) {
      const tables = [...new Set(of.flatMap((it) => it.tables))].sort()
      console.log(`- \`${file}\` (${of.length}): ${tables.join(', ')}`)
    }
  }
}

/** Transactions that write in two databases. */
function printTransactions(transactions: readonly { tables: readonly string[]; source: string }[]): void {
  const crossing = new Map<string, Set<string>>()
  const isApart = (place: Place | undefined) => place === 'instance' || place === 'account'
  for (const { tables, source } of transactions) {
    const places = tables.map(placeOf)
    if (!places.includes('network') && !(places.includes('instance') && places.includes('account'))) continue
    const others = tables.filter((it) => isApart(placeOf(it)))
    for (const other of others) crossing.set(source, (crossing.get(source) ?? new Set()).add(other))
  }
  console.log(`\n${transactions.length} sets of tables are written by one transaction. These cross:`)
  for (const [source, others] of [...crossing].sort())
    console.log(`- \`${source}\`: ${[...others].sort().join(', ')}`)
}

/** Triggers whose function names a table of another place; their texts are not prepared, so names are compared. */
async function printTriggers(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ table: string; name: string; body: string }>(
    `select tgrelid::regclass::text as "table", proname as name, prosrc as body from pg_trigger
     join pg_proc on pg_proc.oid = tgfoid where not tgisinternal order by 1, 2`,
  )
  console.log('\nTriggers that cross:')
  for (const { table, name, body } of rows) {
    const words = [...new Set(body.match(/\w+/g))]
    const others = words.filter((it) => isOther(placeOf(table), placeOf(it)))
    if (others.length > 0) console.log(`- \`${name}\` of ${table}: ${others.join(', ')}`)
  }
}

function isOther(one: Place | undefined, other: Place | undefined): boolean {
  return other !== undefined && other !== 'local' && other !== one
}
