/**
 * Prepares statements once for each connection: parsing and planning take PostgreSQL ten times longer than execution.
 * Their number for each connection is limited, because each takes memory in PostgreSQL; the least recently used is
 * evicted.
 */
import { hash } from 'node:crypto'
import { type PostgresPool, type PostgresPoolClient, type PostgresQueryResult, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** Properties of a pg connection that its types do not declare. */
interface Connection {
  /** Texts by name, as pg remembers which statements are prepared. */
  readonly parsedStatements: Record<string, string>
  /** Sent along with the next message, without waiting for the answer. */
  close(what: { type: 'S'; name: string }): void
}

interface Prepared {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

export const MARK = '/* custom plan */'
/**
 * For statements whose best plan depends on their values, so that the generic plan PostgreSQL eventually settles on would
 * be bad for some. They are not prepared.
 */
export const CUSTOM_PLAN = sql.raw(MARK)

const FEATURE_NOT_SUPPORTED = '0A000'
const NO_SUCH_STATEMENT = '26000'

/**
 * Whether a prepared statement is no longer valid: a migration changed its result type, or a pooler switched the
 * connection. The statement had no effect, and is prepared again on the next call.
 */
export function isOutdated(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  // The message depends on the locale of the server, so the routine is compared.
  const isChanged = error.code === FEATURE_NOT_SUPPORTED && error.routine === 'RevalidateCachedQuery'
  return isChanged || error.code === NO_SUCH_STATEMENT
}

/** Excludes BEGIN and the like, which have no plan. */
export function isWorthPreparing(text: string): boolean {
  return /^[\s(]*(?:select|insert|update|delete|with|merge)\b/.test(text) && !text.includes(MARK)
}

/** The pool with connections that prepare suitable statements. */
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

/** Hashing a text takes longer than finding the name it had before. */
const NAMES_MAX = 2_000
const names = new LRUCache<string, string>({ max: NAMES_MAX })

/** Undefined for a statement that is not prepared. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || !isWorthPreparing(text)) return known
  const name = hash('sha1', text, 'base64url')
  names.set(text, name)
  return name
}

class PreparingClient implements PostgresPoolClient {
  private readonly client: pg.PoolClient
  /** Shared by all connections of a pool: a statement found outdated on one is outdated on all, so none fails twice. */
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
    const name = nameOf(text)
    if (name === undefined) return this.send(statement)
    this.names.set(name, true)
    return this.run({ name, ...statement })
  }

  release(destroy?: boolean): void {
    this.client.release(destroy)
  }

  /** Called before each statement: drops statements that other connections found outdated. */
  keepUp(): void {
    if (this.seen === this.schema.changes) return
    this.seen = this.schema.changes
    this.names.clear()
  }

  private async run<R>(statement: Prepared): Promise<PostgresQueryResult<R>> {
    try {
      return await this.send<R>(statement)
    } catch (error) {
      if (!isOutdated(error)) throw error
      this.schema.changes += 1
      this.keepUp()
      // The transaction is lost, and retried as a whole: see `transact`.
      if (this.client.getTransactionStatus() !== 'I') throw error
      this.names.set(statement.name, true)
      return this.send(statement)
    }
  }

  private send<R>(statement: Omit<Prepared, 'name'>): Promise<PostgresQueryResult<R>> {
    return this.client.query(statement) as unknown as Promise<PostgresQueryResult<R>>
  }

  private forget(name: string): void {
    const connection = this.client.connection as unknown as Connection
    delete connection.parsedStatements[name]
    connection.close({ type: 'S', name })
  }
}
