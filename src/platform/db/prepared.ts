/**
 * Statements prepared once for each connection: PostgreSQL parses and plans a text when it first comes, which takes it
 * ten times longer than to run it. A bounded number for each connection, because each takes memory there; the one that
 * was not used for longest goes first.
 */
import { hash } from 'node:crypto'
import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** What pg knows of a connection and does not declare. */
interface Connection {
  /** Texts by name, as pg remembers what it need not send again. */
  readonly parsedStatements: Record<string, string>
  /** Sent with what comes next; nobody waits for the answer. */
  close(what: { type: 'S'; name: string }): void
}

interface Statement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

export const MARK = '/* custom plan */'
/**
 * For statements whose best plan depends on their values, so that the generic plan, which PostgreSQL settles for sooner
 * or later, would be a bad one for some. They are not kept.
 */
export const CUSTOM_PLAN = sql.raw(MARK)

const FEATURE_NOT_SUPPORTED = '0A000'
const NO_SUCH_STATEMENT = '26000'

/**
 * Whether what was prepared is not good any more: a migration has changed what the statement returns, or a pooler has
 * given us another connection. Nothing was done, and it is prepared anew when it comes again.
 */
export function isOutdated(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  // The words depend on the language of the server.
  const isChanged = error.code === FEATURE_NOT_SUPPORTED && error.routine === 'RevalidateCachedQuery'
  return isChanged || error.code === NO_SUCH_STATEMENT
}

/** Not BEGIN and its kin, which have no plan. */
export function isWorthPreparing(text: string): boolean {
  return /^[\s(]*(?:select|insert|update|delete|with|merge)\b/.test(text) && !text.includes(MARK)
}

/** The pool, with connections that prepare what is worth it. */
export function preparing(pool: pg.Pool, max: number): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PreparingClient>()
  const schema = { changes: 0 }
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client)
      const prepared = known ?? new PreparingClient({ client, max, schema })
      if (known === undefined) clients.set(client, prepared)
      prepared.keepUp()
      return prepared
    },
    end: () => pool.end(),
  }
}

class PreparingClient implements PostgresPoolClient {
  private readonly client: pg.PoolClient
  /** Shared by all of a pool: what one of them finds outdated is outdated for all, and none of them trips twice. */
  private readonly schema: { changes: number }
  private seen: number
  private readonly names: LRUCache<string, true>

  constructor(parts: {
    client: pg.PoolClient
    max: number
    schema: { changes: number }
  }) {
    this.client = parts.client
    this.schema = parts.schema
    this.seen = parts.schema.changes
    this.names = new LRUCache({ max: parts.max, dispose: (_, name) => this.forget(name) })
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query(): never
  query<R>(text = '', values: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    const statement = { text, values: [...values] }
    if (!isWorthPreparing(text)) return this.send(statement)
    const name = hash('sha1', text, 'base64url')
    this.names.set(name, true)
    return this.run({ name, ...statement })
  }

  release(destroy?: boolean): void {
    this.client.release(destroy)
  }

  /** Before anything is run: what others found outdated is not tried here. */
  keepUp(): void {
    if (this.seen === this.schema.changes) return
    this.seen = this.schema.changes
    this.names.clear()
  }

  private async run<R>(statement: Statement): Promise<PostgresQueryResult<R>> {
    try {
      return await this.send<R>(statement)
    } catch (error) {
      if (!isOutdated(error)) throw error
      this.schema.changes += 1
      this.keepUp()
      // A transaction is lost by it, and tried again as a whole: see `transact`.
      if (this.client.getTransactionStatus() !== 'I') throw error
      this.names.set(statement.name, true)
      return this.send(statement)
    }
  }

  private send<R>(statement: Omit<Statement, 'name'>): Promise<PostgresQueryResult<R>> {
    return this.client.query(statement) as unknown as Promise<PostgresQueryResult<R>>
  }

  private forget(name: string): void {
    const connection = this.client.connection as unknown as Connection
    delete connection.parsedStatements[name]
    connection.close({ type: 'S', name })
  }
}
