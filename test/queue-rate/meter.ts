/** A connection to the forge's database under its own role, so that the cost of measuring is left out of the figures. */
import { Client } from 'pg'

const ROLE = 'meter'

/** Statements and transactions since the server started. */
export interface StatementCount {
  readonly unit: 'statements' | 'transactions'
  readonly count: number
}

export class Meter implements AsyncDisposable {
  /** Backend pid of the connection. */
  readonly pid: number
  private readonly client: Client
  private readonly hasStatements: boolean
  private asked = 0

  /** `url` names a superuser of the database. */
  static async open(url: string): Promise<Meter> {
    const owner = new Client(url)
    await owner.connect()
    await owner.query(`create role ${ROLE} superuser login`)
    const { rows: libraries } = await owner.query('show shared_preload_libraries')
    const hasStatements = libraries[0]?.shared_preload_libraries === STATEMENTS
    if (hasStatements) await owner.query(`create extension if not exists ${STATEMENTS}`)
    await owner.end()
    const address = new URL(url)
    address.username = ROLE
    const client = new Client(address.href)
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return new Meter(client, rows[0]?.pid ?? 0, hasStatements)
  }

  private constructor(client: Client, pid: number, hasStatements: boolean) {
    this.client = client
    this.pid = pid
    this.hasStatements = hasStatements
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.asked += 1
    return (await this.client.query(text, values)).rows as Row[]
  }

  /** Statements of clients, without those of this connection. A statement inside a function is not counted. */
  async countStatements(): Promise<StatementCount> {
    if (!this.hasStatements) return this.countTransactions()
    const [row] = await this.query<{ count: number; dropped: number }>(
      `select coalesce(sum(calls), 0)::float8 as count, (select dealloc::int from ${STATEMENTS}_info) as dropped
        from ${STATEMENTS} where userid <> (select oid from pg_roles where rolname = '${ROLE}')`,
    )
    // PostgreSQL tracks 5,000 different statements and then drops the rarest.
    if (row?.dropped) throw new Error('PostgreSQL has forgotten statements, so their sum is too small')
    return { unit: 'statements', count: row?.count ?? 0 }
  }

  /** By the text of the statement; empty where the extension is missing. */
  async countCalls(): Promise<ReadonlyMap<string, number>> {
    if (!this.hasStatements) return new Map()
    const rows = await this.query<{ query: string; calls: number }>(
      `select query, sum(calls)::float8 as calls from ${STATEMENTS}
        where userid <> (select oid from pg_roles where rolname = '${ROLE}') group by query`,
    )
    return new Map(rows.map(({ query, calls }) => [query, calls]))
  }

  private async countTransactions(): Promise<StatementCount> {
    const [row] = await this.query<{ count: number }>(
      'select xact_commit::float8 as count from pg_stat_database where datname = current_database()',
    )
    return { unit: 'transactions', count: (row?.count ?? 0) - this.asked }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end()
  }
}

/** The extension and the library that it needs. */
export const STATEMENTS = 'pg_stat_statements'
