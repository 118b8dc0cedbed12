/**
 * Makes rows by the million: no checks, no triggers, and all indexes of a table are built once, at the end. What triggers
 * would keep (audiences, tallies) the rows have to say themselves.
 */
import pg from 'pg'
import { must } from '#platform/must'

/** SQL of each column; `n` counts from 1. */
export type Columns = Readonly<Record<string, string>>

/** Rows per statement. */
const BITE = 500_000

export class Filler {
  private readonly client: pg.Client
  private indexes: string[] = []

  private constructor(client: pg.Client) {
    this.client = client
  }

  static async open(url: string): Promise<Filler> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB';
      set work_mem = '128MB'; set synchronous_commit = off`)
    const filler = new Filler(client)
    await filler.put('disable')
    await filler.dropIndexes()
    return filler
  }

  async rows(table: string, count: number, columns: Columns): Promise<void> {
    const names = Object.keys(columns).join()
    const values = Object.values(columns).join()
    for (let from = 1; from <= count; from += BITE) {
      const to = Math.min(count, from + BITE - 1)
      await this.run(`insert into ${table} (${names}) overriding system value
        select ${values} from generate_series(${from}::bigint, ${to}::bigint) as n on conflict do nothing`)
    }
  }

  async run(text: string): Promise<void> {
    await this.client.query(text)
  }

  /** Indexes, sequences, triggers and statistics: from here on it is a database like any other. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const index of this.indexes) await this.run(index)
    await this.put('enable always')
    await this.run(`do $$ declare found record; begin
      for found in select format('select setval(%L, coalesce(max(%I), 0) + 1, false) from %I',
        pg_get_serial_sequence(quote_ident(table_name), column_name), column_name, table_name) as statement
        from information_schema.columns where table_schema = 'public' and is_identity = 'YES'
      loop execute found.statement; end loop; end $$`)
    await this.run('vacuum analyze')
    await this.client.end()
  }

  private async put(state: string): Promise<void> {
    const { rows } = await this.client.query<{ statement: string }>(
      `select format('alter table %s ${state} trigger %I', tgrelid::regclass, tgname) as statement
       from pg_trigger where not tgisinternal`,
    )
    for (const { statement } of rows) await this.run(statement)
  }

  /** Those of constraints stay: they say which rows are there already. */
  private async dropIndexes(): Promise<void> {
    const { rows } = await this.client.query<{ name: string; made: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
       join pg_class on pg_class.oid = indrelid where relnamespace = 'public'::regnamespace and not indisunique
       and not exists (select from pg_constraint where conindid = indexrelid)`,
    )
    for (const { name } of rows) await this.run(`drop index ${name}`)
    this.indexes = rows.map(({ made }) => made)
  }

  async one<T extends pg.QueryResultRow>(text: string): Promise<T> {
    const { rows } = await this.client.query<T>(text)
    return must(rows[0], text)
  }
}
